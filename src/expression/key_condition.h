#pragma once

#include <optional>
#include <string>
#include <string_view>

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

// Errors are of kind invalid and carry the service's texts: a missing key, an operator that keys do not
// have, a condition on another attribute, a value whose type is not the key's.
Result<KeyCondition> parse_key_condition(std::string_view text, Placeholders& placeholders,
                                         const KeyNames& key);

}  // namespace waybill::expression
