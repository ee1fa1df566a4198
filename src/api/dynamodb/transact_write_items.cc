#include <string>
#include <utility>
#include <vector>

#include "api/dynamodb/message_action.h"
#include "api/dynamodb/operations.h"
#include "api/dynamodb/transact_write_fields.h"
#include "api/dynamodb/write_transaction.h"
#include "table/validate.h"

namespace waybill::api::dynamodb {
namespace {

// Wrong values are told before anything else, in the order of the actions.
Result<std::vector<item::Item>> take_items(std::vector<ActionFields>& actions) {
  std::vector<item::Item> items;
  for (auto& action : actions) {
    auto item = std::move(*action.item).take();
    if (!item) {
      return without_envelope(std::move(item).error());
    }
    items.push_back(*std::move(item));
  }
  return items;
}

// The parts of the action that need no table.
Result<store::Action> parse_action(const ActionFields& fields, item::Item item) {
  store::Action action;
  action.kind = fields.kind;
  action.item = std::move(item);
  WAYBILL_TRY(check_together(fields.expressions, fields.kind));
  WAYBILL_TRY_ASSIGN(auto parsed, parse_write_expressions(fields.expressions, fields.kind));
  action.condition = std::move(parsed.condition);
  action.update = std::move(parsed.update);
  action.wants_item_on_failure = fields.on_failure == "ALL_OLD";
  if (action.kind == store::ActionKind::put) {
    action.item_bytes = item::size_bytes(action.item.view());
    WAYBILL_TRY(table::check_item_size(action.item_bytes, table::Change::put));
  }
  return action;
}

// All that can be told without a table is told before any table is looked for.
Result<std::vector<store::Action>> parse_actions(std::vector<ActionFields>& fields) {
  WAYBILL_TRY_ASSIGN(auto items, take_items(fields));
  std::vector<store::Action> actions;
  actions.reserve(fields.size());
  for (std::size_t i = 0; i < fields.size(); ++i) {
    WAYBILL_TRY_ASSIGN(auto action, parse_action(fields[i], std::move(items[i])));
    actions.push_back(std::move(action));
  }
  return actions;
}

Result<WriteTransaction> parse(const Call& call, const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  const auto elements = read_transact_items(fields);
  const auto token = fields.string("ClientRequestToken");
  const auto capacity = fields.string("ReturnConsumedCapacity");
  const auto metrics = fields.string("ReturnItemCollectionMetrics");
  std::vector<ActionFields> actions;
  actions.reserve(elements.taken.size());
  for (const auto& element : elements.taken) {
    actions.push_back(read_action_fields(element, actions.size() + 1));
  }
  WAYBILL_TRY(reading.status());
  Constraints constraints;
  elements.check(constraints);
  constraints.length_min("clientRequestToken", token, 1);
  constraints.length_max("clientRequestToken", token, request_token_length_max);
  check_capacity_word(constraints, capacity);
  check_metrics_word(constraints, metrics);
  check_actions(constraints, actions);
  WAYBILL_TRY(constraints.status());
  WAYBILL_TRY(check_one_action_each(actions));
  WriteTransaction request;
  request.capacity = capacity_detail(capacity);
  request.metrics = metrics == "SIZE";
  WAYBILL_TRY_ASSIGN(auto parsed, parse_actions(actions));
  for (std::size_t i = 0; i < actions.size(); ++i) {
    if (is_about_queue(actions[i])) {
      WAYBILL_TRY_ASSIGN(auto action, make_message_action(call, actions[i], std::move(parsed[i])));
      request.add_message(std::move(action));
      continue;
    }
    WAYBILL_TRY_ASSIGN(parsed[i].table, find_table(call.store(), *actions[i].table_name));
    WAYBILL_TRY(request.add(std::move(parsed[i])));
  }
  WAYBILL_TRY(request.check_whole());
  if (token) {
    request.transaction.token = {std::string(*token), fingerprint_of(elements.taken)};
  }
  return request;
}

}  // namespace

void transact_write_items(Call call, const json::Value& body) {
  auto request = parse(call, body);
  if (!request) {
    call.fail(request.error());
    return;
  }
  submit(std::move(call), *std::move(request));
}

}  // namespace waybill::api::dynamodb
