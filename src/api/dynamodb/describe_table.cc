#include "api/dynamodb/operations.h"
#include "api/dynamodb/table_description.h"
#include "api/dynamodb/table_lookup.h"

namespace waybill::api::dynamodb {

void describe_table(Call call, const json::Value& body) {
  const auto table = find_named_table(call.store(), body);
  if (!table) {
    call.fail(table.error());
    return;
  }
  DescriptionOptions options;
  options.status = current_status(**table);
  if ((*table)->state == table::TableState::being_made) {
    options.index_status = "CREATING";
  }
  call.answer(
      table_description("Table", call.services(), **table, read_stats(call.store(), **table), options));
}

}  // namespace waybill::api::dynamodb
