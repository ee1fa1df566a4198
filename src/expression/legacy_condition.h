#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "expression/key_condition.h"
#include "item/value.h"

// Reading the legacy parameters; see legacy.h.
namespace waybill::expression {

enum class LegacyOperator : unsigned char {
  eq,
  ne,
  in,
  le,
  lt,
  ge,
  gt,
  between,
  not_null,
  null,
  contains,
  not_contains,
  begins_with,
};

// A comparison of one attribute with values.
struct LegacyCondition {
  std::string_view attribute;
  LegacyOperator op = LegacyOperator::eq;
  std::string values = {};                 // encoded, one behind the other
  std::vector<std::size_t> value_at = {};  // where each begins

  item::ValueView value(std::size_t i) const { return item::ValueView(values.data() + value_at[i]); }
};

struct JsonMember {
  std::string_view key;
  json::Value value;
};

// The members of an object in their order; of those with the same key the last one.
Result<std::vector<JsonMember>> unique_members(const json::Value& object);

// A member that is there and not null.
std::optional<json::Value> present(const json::Value& object, std::string_view key);

// "1 validation error detected: Value 'x' at 'place' failed to satisfy constraint: Member must …"
Error constraint_error(std::optional<std::string_view> value, std::string_view place,
                       std::string_view constraint);

// One member of QueryFilter, ScanFilter or KeyConditions.
Result<LegacyCondition> read_legacy_condition(const JsonMember& member, std::string_view parameter);

// One member of Expected.
Result<LegacyCondition> read_expectation(const JsonMember& member);

}  // namespace waybill::expression
