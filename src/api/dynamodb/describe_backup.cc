#include "api/dynamodb/backup_description.h"
#include "api/dynamodb/fields.h"
#include "api/dynamodb/operations.h"

namespace waybill::api::dynamodb {
namespace {

Result<std::string> describe(const Call& call, const json::Value& body) {
  Reading reading;
  const auto arn = Fields(body, reading).string("BackupArn");
  WAYBILL_TRY(reading.status());
  Constraints constraints;
  check_backup_arn(constraints, arn);
  WAYBILL_TRY(constraints.status());
  WAYBILL_TRY_ASSIGN(const auto id, backup_id_in(*arn));
  const auto backup = call.store().find_backup(id);
  if (!backup) {
    return Error{ErrorKind::backup_not_found, "Backup not found: " + std::string(*arn), {}};
  }
  return backup_description(call.services(), *backup, {});
}

}  // namespace

void describe_backup(Call call, const json::Value& body) {
  auto result = describe(call, body);
  call.answer(std::move(result));
}

}  // namespace waybill::api::dynamodb
