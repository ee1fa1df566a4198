#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "expression/placeholders.h"
#include "item/value.h"

namespace waybill::expression {

enum class SortOperator : unsigned char {
  none,
  equal,
  less,
  less_or_equal,
  greater,
  greater_or_equal,
  between,
  begins_with,
};

// The names, and where the caller wants values checked the types, of the key that is queried.
struct KeyNames {
  std::string_view partition;
  std::optional<std::string_view> sort;
  std::optional<item::Type> partition_type;
  std::optional<item::Type> sort_type;
};

// What a Query asks of the keys. Values are encoded (item::ValueView) and owned.
struct KeyCondition {
  std::string partition;  // equals this
  SortOperator op = SortOperator::none;
  std::string low;   // the operand of `op`; of between the lower bound
  std::string high;  // of between the upper bound

  item::ValueView partition_value() const { return item::ValueView(partition.data()); }
  item::ValueView low_value() const { return item::ValueView(low.data()); }
  item::ValueView high_value() const { return item::ValueView(high.data()); }
};

// What a query asks of one attribute; values are encoded.
struct KeyRule {
  std::string name;
  SortOperator op = SortOperator::none;  // none stands for an operator that keys do not have
  std::string low = {};
  std::string high = {};
};
using KeyRules = std::vector<KeyRule>;

// Reads a KeyConditionExpression without knowing the key. Errors are of kind invalid and carry the service's
// texts: an operator that keys do not have, two conditions on one attribute.
Result<KeyRules> parse_key_rules(std::string_view text, Placeholders& placeholders);

// One condition or two.
Status check_rule_count(const KeyRules& rules);

// Holds the rules of a KeyConditionExpression or of KeyConditions against the key that is queried. Errors
// are of kind invalid and carry the service's texts: a missing key, a condition on another attribute, a value
// whose type is not the key's.
Result<KeyCondition> match_key(KeyRules rules, const KeyNames& key);

}  // namespace waybill::expression
