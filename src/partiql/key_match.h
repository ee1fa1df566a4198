#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "expression/key_condition.h"
#include "partiql/statement.h"
#include "table/table.h"

// Single conditions that a key can answer.
namespace waybill::partiql {

inline constexpr std::size_t partition_values_max = 50;       // of one IN
inline constexpr std::size_t partition_conditions_max = 300;  // of all branches of a clause

// The encoded value that the condition says the attribute equals; nullopt where it says something else.
std::optional<std::string> equal_value(const Expression& condition, std::string_view attribute);

// The same for several values, of which it equals one: IN, and equalities joined by OR. Each value once.
std::optional<std::vector<std::string>> equal_values(const Expression& condition, std::string_view attribute);

// What a Query can ask of a sort key.
struct KeyTest {
  expression::SortOperator op = expression::SortOperator::none;
  std::string low;
  std::string high = {};
};

std::optional<KeyTest> sort_test(const Expression& condition, std::string_view attribute);

// Whether the values have the types of the key and can be in one.
Status check_key_condition(const table::KeySchema& key, const expression::KeyCondition& condition);

}  // namespace waybill::partiql
