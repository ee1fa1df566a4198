#include <utility>

#include "api/dynamodb/operations.h"
#include "api/dynamodb/write.h"
#include "table/key.h"
#include "table/validate.h"

namespace waybill::api::dynamodb {
namespace {

Status check_constraints(const std::optional<std::string_view>& table_name, const ItemField& key,
                         const WriteExpressionFields& expressions, const WriteReplyFields& reply) {
  Constraints constraints;
  check_table_name(constraints, table_name);
  constraints.not_null("key", key.present());
  reply.check_return_values(constraints);
  check_capacity_word(constraints, reply.capacity);
  check_metrics_word(constraints, reply.metrics);
  reply.check_on_failure(constraints);
  check_operator_word(constraints, expressions.conditional_operator);
  return constraints.status();
}

Result<Write> parse(const store::Store& store, const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  const auto table_name = fields.string("TableName");
  ItemField key(fields.map("Key", "AttributeValue"), reading);
  const auto expressions = WriteExpressionFields::read(fields);
  const auto reply = WriteReplyFields::read(fields);
  WAYBILL_TRY(reading.status());

  WAYBILL_TRY(check_constraints(table_name, key, expressions, reply));
  if (auto checked = check_together(expressions, store::ActionKind::update); !checked) {
    return expression_error(std::move(checked).error());
  }
  auto item = std::move(key).take();
  if (!item) {
    return without_envelope(std::move(item).error());
  }
  auto parsed = parse_write_expressions(expressions, store::ActionKind::update);
  if (!parsed) {
    return expression_error(std::move(parsed).error());
  }
  Write write;
  write.action.kind = store::ActionKind::update;
  write.action.item = *std::move(item);
  write.action.condition = std::move(parsed->condition);
  write.action.update = parsed->update ? std::move(parsed->update) : expression::Update();
  WAYBILL_TRY_ASSIGN(write.action.table, find_table(store, *table_name));
  WAYBILL_TRY(table::check_key(*write.action.table, write.action.item.view()));
  WAYBILL_TRY(check_update(*write.action.table, *write.action.update));
  write.action.key = table::primary_key(write.action.table->key, write.action.item.view());
  write.prepare(reply);
  return write;
}

}  // namespace

void update_item(Call call, const json::Value& body) {
  auto write = parse(call.store(), body);
  if (!write) {
    call.fail(write.error());
    return;
  }
  submit(std::move(call), *std::move(write));
}

}  // namespace waybill::api::dynamodb
