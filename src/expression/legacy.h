#pragma once

#include <optional>
#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "expression/condition.h"
#include "expression/key_condition.h"
#include "expression/update.h"

// The parameters from before expressions. They become the same trees. Errors are of kind invalid with the
// service's texts, or of kind malformed for wrong JSON types. Of members with the same name the last counts.
namespace waybill::expression {

// Expected of PutItem, UpdateItem and DeleteItem. `conditional_operator` is AND (the default) or OR. Without
// members the condition always holds.
Result<Condition> condition_from_expected(const json::Value& expected,
                                          std::optional<std::string_view> conditional_operator);

// QueryFilter and ScanFilter. `parameter` is how the service's messages spell it: "queryFilter",
// "scanFilter".
Result<Condition> filter_from_conditions(const json::Value& conditions,
                                         std::optional<std::string_view> conditional_operator,
                                         std::string_view parameter);

// AttributeUpdates of UpdateItem.
Result<Update> update_from_attribute_updates(const json::Value& updates);

// KeyConditions of Query.
Result<KeyRules> key_rules_from_conditions(const json::Value& conditions);

}  // namespace waybill::expression
