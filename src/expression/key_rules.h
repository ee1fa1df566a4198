#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "expression/key_condition.h"

namespace waybill::expression {

// What a query asks of one attribute; values are encoded.
struct KeyRule {
  std::string name;
  SortOperator op = SortOperator::none;  // none stands for an operator that keys do not have
  std::string low = {};
  std::string high = {};
};
using KeyRules = std::vector<KeyRule>;

// Holds the rules of a KeyConditionExpression or of KeyConditions against the key that is queried. Errors
// are of kind invalid and carry the service's texts.
Result<KeyCondition> match_key(KeyRules rules, const KeyNames& key);

}  // namespace waybill::expression
