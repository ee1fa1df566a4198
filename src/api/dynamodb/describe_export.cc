#include "api/dynamodb/fields.h"
#include "api/dynamodb/operations.h"
#include "api/dynamodb/transfer_description.h"
#include "transfer/transfers.h"

namespace waybill::api::dynamodb {
namespace {

Result<std::string> describe(const Services& services, const json::Value& body) {
  Reading reading;
  const auto arn = Fields(body, reading).string("ExportArn");
  WAYBILL_TRY(reading.status());
  Constraints constraints;
  check_transfer_arn(constraints, "exportArn", arn);
  WAYBILL_TRY(constraints.status());
  const auto found = services.transfers->find_export(transfer_id_in(*arn, export_mark));
  if (!found || found->arn() != *arn) {
    return Error{ErrorKind::export_not_found, "Export not found: " + std::string(*arn), {}};
  }
  return export_description(*found);
}

}  // namespace

void describe_export(Call call, const json::Value& body) {
  call.answer(describe(call.services(), body));
}

}  // namespace waybill::api::dynamodb
