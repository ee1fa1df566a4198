#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/dynamodb/transaction_fields.h"
#include "api/dynamodb/write.h"

// The actions of a TransactWriteItems request as they stand in the JSON.
namespace waybill::api::dynamodb {

struct ActionFields {
  store::ActionKind kind = store::ActionKind::put;
  int actions_given = 0;
  std::string path;  // "transactItems.1.member.put"
  std::optional<std::string_view> table_name;
  std::optional<ItemField> item;  // Item or Key
  WriteExpressionFields expressions;
  std::optional<std::string_view> on_failure;
};

// The action of the element of that number; the first is 1.
ActionFields read_action_fields(const Fields& element, std::size_t number);

void check_actions(Constraints& constraints, const std::vector<ActionFields>& actions);

// Told after all constraints.
Status check_one_action_each(const std::vector<ActionFields>& actions);

}  // namespace waybill::api::dynamodb
