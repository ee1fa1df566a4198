#include <utility>

#include "api/dynamodb/backup_description.h"
#include "api/dynamodb/fields.h"
#include "api/dynamodb/operations.h"
#include "api/dynamodb/table_lookup.h"

namespace waybill::api::dynamodb {
namespace {

Result<std::string> parse(const json::Value& body) {
  Reading reading;
  const auto arn = Fields(body, reading).string("BackupArn");
  WAYBILL_TRY(reading.status());
  Constraints constraints;
  check_backup_arn(constraints, arn);
  WAYBILL_TRY(constraints.status());
  return backup_id_in(*arn);
}

std::string render(const Services& services, const table::Backup& backup) {
  return backup_description(services, backup, "DELETED");
}

}  // namespace

void delete_backup(Call call, const json::Value& body) {
  auto id = parse(body);
  if (!id) {
    call.fail(id.error());
    return;
  }
  auto& store = call.store();
  store.delete_backup(*std::move(id), answer_with<table::Backup>(std::move(call), render));
}

}  // namespace waybill::api::dynamodb
