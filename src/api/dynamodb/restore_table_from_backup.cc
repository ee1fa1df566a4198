#include <utility>

#include "api/dynamodb/backup_description.h"
#include "api/dynamodb/operations.h"
#include "api/dynamodb/restore_request.h"

namespace waybill::api::dynamodb {
namespace {

Result<RestoreRequest> parse(const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  const auto given = read_restore(fields);
  const auto arn = fields.string("BackupArn");
  WAYBILL_TRY(reading.status());
  Constraints constraints;
  check_restore(constraints, given);
  check_backup_arn(constraints, arn);
  WAYBILL_TRY(constraints.status());
  RestoreRequest request;
  WAYBILL_TRY_ASSIGN(request.source.backup_id, backup_id_in(*arn));
  WAYBILL_TRY_ASSIGN(request.wanted, take_restore(given));
  return request;
}

}  // namespace

void restore_table_from_backup(Call call, const json::Value& body) {
  begin_restore(std::move(call), parse(body));
}

}  // namespace waybill::api::dynamodb
