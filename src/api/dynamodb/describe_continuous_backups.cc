#include "api/dynamodb/continuous_backups.h"
#include "api/dynamodb/operations.h"

namespace waybill::api::dynamodb {

void describe_continuous_backups(Call call, const json::Value& body) {
  const auto table = find_table_for_backups(call.store(), body);
  if (!table) {
    call.fail(table.error());
    return;
  }
  call.answer(continuous_backups_description(call.services(), **table));
}

}  // namespace waybill::api::dynamodb
