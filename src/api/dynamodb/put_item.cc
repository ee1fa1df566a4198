#include <utility>

#include "api/dynamodb/operations.h"
#include "api/dynamodb/write.h"
#include "table/key.h"
#include "table/validate.h"

namespace waybill::api::dynamodb {
namespace {

// Only what was there before can be returned of a put.
Status check_return_values(const WriteReplyFields& reply) {
  if (!reply.return_values || reply.return_values == "NONE" || reply.return_values == "ALL_OLD") {
    return {};
  }
  return in_envelope(invalid("ReturnValues can only be ALL_OLD or NONE"));
}

Result<Write> parse(const store::Store& store, const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  const auto table_name = fields.string("TableName");
  ItemField item(fields.map("Item", "AttributeValue"), reading);
  const auto expressions = WriteExpressionFields::read(fields);
  const auto reply = WriteReplyFields::read(fields);
  WAYBILL_TRY(reading.status());

  Constraints constraints;
  check_table_name(constraints, table_name);
  constraints.not_null("item", item.present());
  check_capacity_word(constraints, reply.capacity);
  reply.check_return_values(constraints);
  check_metrics_word(constraints, reply.metrics);
  reply.check_on_failure(constraints);
  check_operator_word(constraints, expressions.conditional_operator);
  WAYBILL_TRY(constraints.status());

  Write write;
  write.action.kind = store::ActionKind::put;
  if (auto checked = check_together(expressions, write.action.kind); !checked) {
    return expression_error(std::move(checked).error());
  }
  WAYBILL_TRY_ASSIGN(write.action.item, std::move(item).take());
  WAYBILL_TRY(check_return_values(reply));
  write.action.item_bytes = item::size_bytes(write.action.item.view());
  WAYBILL_TRY(table::check_item_size(write.action.item_bytes, table::Change::put));
  auto parsed = parse_write_expressions(expressions, write.action.kind);
  if (!parsed) {
    return expression_error(std::move(parsed).error());
  }
  write.action.condition = std::move(parsed->condition);
  WAYBILL_TRY_ASSIGN(write.action.table, find_table(store, *table_name));
  WAYBILL_TRY(table::check_item_key(*write.action.table, write.action.item.view()));
  WAYBILL_TRY(table::check_index_keys(*write.action.table, write.action.item.view(), table::Change::put));
  write.action.key = table::primary_key(write.action.table->key, write.action.item.view());
  write.prepare(reply);
  return write;
}

}  // namespace

void put_item(Call call, const json::Value& body) {
  auto write = parse(call.store(), body);
  if (!write) {
    call.fail(write.error());
    return;
  }
  submit(std::move(call), *std::move(write));
}

}  // namespace waybill::api::dynamodb
