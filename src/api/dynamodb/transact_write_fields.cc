#include "api/dynamodb/transact_write_fields.h"

#include "api/dynamodb/message_action.h"

namespace waybill::api::dynamodb {
namespace {

struct ActionName {
  std::string_view field;
  std::string_view path;
  store::ActionKind kind;
};

constexpr ActionName action_names[] = {
    {"ConditionCheck", "conditionCheck", store::ActionKind::check},
    {"Put", "put", store::ActionKind::put},
    {"Delete", "delete", store::ActionKind::remove},
    {"Update", "update", store::ActionKind::update},
};

// Transactions came after expressions: what is older is not looked at.
WriteExpressionFields read_expressions(const Fields& fields, store::ActionKind kind) {
  WriteExpressionFields read;
  read.condition = fields.string("ConditionExpression");
  read.names = read_names(fields);
  read.values = read_values(fields, "ExpressionAttributeValues");
  if (kind == store::ActionKind::update) {
    read.update = fields.string("UpdateExpression");
  }
  return read;
}

}  // namespace

ActionFields read_action_fields(const Fields& element, std::size_t number) {
  ActionFields action;
  for (const auto& name : action_names) {
    const auto fields = read_action(element, name.field);
    if (!fields || ++action.actions_given > 1) {
      continue;
    }
    action.kind = name.kind;
    action.path = "transactItems." + std::to_string(number) + ".member." + std::string(name.path);
    action.table_name = fields->string("TableName");
    const bool put = name.kind == store::ActionKind::put;
    action.item.emplace(fields->map(put ? "Item" : "Key", "AttributeValue"), fields->reading());
    action.expressions = read_expressions(*fields, name.kind);
    action.on_failure = fields->string("ReturnValuesOnConditionCheckFailure");
  }
  return action;
}

Status check_one_action_each(const std::vector<ActionFields>& actions) {
  for (const auto& action : actions) {
    if (action.actions_given != 1) {
      return invalid(action.actions_given == 0
                         ? "TransactItem must contain exactly one action"
                         : "TransactItems can only contain one of Check, Put, Update or Delete");
    }
  }
  return {};
}

void check_actions(Constraints& constraints, const std::vector<ActionFields>& actions) {
  for (const auto& action : actions) {
    if (action.actions_given == 0) {
      continue;
    }
    const bool put = action.kind == store::ActionKind::put;
    if (!is_about_queue(action)) {
      check_table_name(constraints, action.table_name, action.path + ".tableName");
    }
    constraints.not_null(action.path + (put ? ".item" : ".key"), action.item->present());
    if (action.kind == store::ActionKind::update) {
      constraints.not_null(action.path + ".updateExpression", action.expressions.update);
    }
    if (action.kind == store::ActionKind::check) {
      constraints.not_null(action.path + ".conditionExpression", action.expressions.condition);
    }
    constraints.one_of(action.path + ".returnValuesOnConditionCheckFailure", action.on_failure,
                       {"ALL_OLD", "NONE"});
  }
}

}  // namespace waybill::api::dynamodb
