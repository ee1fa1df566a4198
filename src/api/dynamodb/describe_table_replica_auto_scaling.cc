#include "api/dynamodb/auto_scaling_settings.h"
#include "api/dynamodb/operations.h"
#include "api/dynamodb/table_lookup.h"

namespace waybill::api::dynamodb {

void describe_table_replica_auto_scaling(Call call, const json::Value& body) {
  const auto table = find_named_table(call.store(), body);
  if (!table) {
    call.fail(table.error());
    return;
  }
  call.answer(auto_scaling_description(call.services(), **table));
}

}  // namespace waybill::api::dynamodb
