#include "api/dynamodb/operations.h"
#include "api/dynamodb/table_description.h"
#include "api/dynamodb/table_lookup.h"

namespace waybill::api::dynamodb {

void describe_table_replica_auto_scaling(Call call, const json::Value& body) {
  const auto table = find_named_table(call.store(), body);
  if (!table) {
    call.fail(table.error());
    return;
  }
  std::string text;
  json::Writer out(text);
  out.begin_object().key("TableAutoScalingDescription").begin_object();
  out.key("TableName").string((*table)->name);
  out.key("TableStatus").string(current_status(**table));
  out.key("Replicas").begin_array().end_array();
  out.end_object().end_object();
  call.answer(std::move(text));
}

}  // namespace waybill::api::dynamodb
