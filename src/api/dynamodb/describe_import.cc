#include "api/dynamodb/fields.h"
#include "api/dynamodb/operations.h"
#include "api/dynamodb/transfer_description.h"
#include "transfer/transfers.h"

namespace waybill::api::dynamodb {
namespace {

Result<std::string> describe(const Services& services, const json::Value& body) {
  Reading reading;
  const auto arn = Fields(body, reading).string("ImportArn");
  WAYBILL_TRY(reading.status());
  Constraints constraints;
  check_transfer_arn(constraints, "importArn", arn);
  WAYBILL_TRY(constraints.status());
  const auto found = services.transfers->find_import(transfer_id_in(*arn, import_mark));
  if (!found || found->arn() != *arn) {
    return Error{ErrorKind::import_not_found, "Import not found: " + std::string(*arn), {}};
  }
  return import_description(*found);
}

}  // namespace

void describe_import(Call call, const json::Value& body) {
  call.answer(describe(call.services(), body));
}

}  // namespace waybill::api::dynamodb
