#include <utility>

#include "api/dynamodb/operations.h"
#include "api/dynamodb/write.h"
#include "table/key.h"
#include "table/validate.h"

namespace waybill::api::dynamodb {
namespace {

Result<Write> parse(const store::Store& store, const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  const auto table_name = fields.string("TableName");
  ItemField key(fields.map("Key", "AttributeValue"), reading);
  const auto expressions = WriteExpressionFields::read(fields);
  const auto reply = WriteReplyFields::read(fields);
  WAYBILL_TRY(reading.status());

  Constraints constraints;
  check_table_name(constraints, table_name);
  constraints.not_null("key", key.present());
  check_capacity_word(constraints, reply.capacity);
  reply.check_return_values(constraints);
  check_metrics_word(constraints, reply.metrics);
  reply.check_on_failure(constraints);
  check_operator_word(constraints, expressions.conditional_operator);
  WAYBILL_TRY(constraints.status());

  Write write;
  write.action.kind = store::ActionKind::remove;
  if (auto checked = check_together(expressions, write.action.kind); !checked) {
    return without_envelope(std::move(checked).error());
  }
  auto item = std::move(key).take();
  if (!item) {
    return without_envelope(std::move(item).error());
  }
  write.action.item = *std::move(item);
  auto parsed = parse_write_expressions(expressions, write.action.kind);
  if (!parsed) {
    return without_envelope(std::move(parsed).error());
  }
  write.action.condition = std::move(parsed->condition);
  Constraints returned;  // of the words that writes know, a delete takes two
  returned.one_of("returnValues", reply.return_values, {"ALL_OLD", "NONE"});
  WAYBILL_TRY(returned.status());
  WAYBILL_TRY_ASSIGN(write.action.table, find_table(store, *table_name));
  WAYBILL_TRY(table::check_key(*write.action.table, write.action.item.view()));
  write.action.key = table::primary_key(write.action.table->key, write.action.item.view());
  write.prepare(reply);
  return write;
}

}  // namespace

void delete_item(Call call, const json::Value& body) {
  auto write = parse(call.store(), body);
  if (!write) {
    call.fail(write.error());
    return;
  }
  submit(std::move(call), *std::move(write));
}

}  // namespace waybill::api::dynamodb
