#include "partiql/key_match.h"

#include <algorithm>
#include <utility>

#include "table/validate.h"

namespace waybill::partiql {

namespace {

using Kind = Expression::Kind;
using expression::SortOperator;

// The operator of `attribute op value`, turned round where the value stands first.
SortOperator sort_operator(std::string_view name, bool turned) {
  if (name == "=") {
    return SortOperator::equal;
  }
  if (name == "<" || name == ">") {
    return (name == "<") != turned ? SortOperator::less : SortOperator::greater;
  }
  if (name == "<=" || name == ">=") {
    return (name == "<=") != turned ? SortOperator::less_or_equal : SortOperator::greater_or_equal;
  }
  return SortOperator::none;
}

std::optional<KeyTest> comparison_test(const Expression& comparison, std::string_view attribute) {
  for (const std::size_t i : {0U, 1U}) {
    const auto& path = comparison.operands[i];
    const auto& value = comparison.operands[1 - i];
    if (!path.is_path(attribute) || value.kind != Kind::value) {
      continue;
    }
    const auto op = sort_operator(comparison.name, i == 1);
    return op == SortOperator::none ? std::nullopt : std::optional(KeyTest{op, value.value});
  }
  return std::nullopt;
}

void add_once(std::vector<std::string>& values, std::string value) {
  if (std::find(values.begin(), values.end(), value) == values.end()) {
    values.push_back(std::move(value));
  }
}

std::optional<std::vector<std::string>> candidates_of(const Expression& in) {
  std::vector<std::string> values;
  for (std::size_t i = 1; i < in.operands.size(); ++i) {
    if (in.operands[i].kind != Kind::value) {
      return std::nullopt;
    }
    add_once(values, in.operands[i].value);
  }
  return values.empty() ? std::nullopt : std::optional(std::move(values));
}

Status check_value(const table::KeySchema& schema, const table::KeyAttribute& key, item::ValueView value) {
  if (value.type() != key.type) {
    return invalid("Key attribute's data type should match its data type in table's schema");
  }
  return table::check_key_value(schema, key, value);
}

}  // namespace

std::optional<std::string> equal_value(const Expression& condition, std::string_view attribute) {
  auto test = condition.kind == Kind::comparison ? comparison_test(condition, attribute) : std::nullopt;
  return test && test->op == SortOperator::equal ? std::optional(std::move(test->low)) : std::nullopt;
}

std::optional<std::vector<std::string>> equal_values(const Expression& condition,
                                                     std::string_view attribute) {
  if (auto value = equal_value(condition, attribute)) {
    return std::vector<std::string>{*std::move(value)};
  }
  if (condition.kind == Kind::in && condition.operands[0].is_path(attribute)) {
    return candidates_of(condition);
  }
  if (condition.kind != Kind::any) {
    return std::nullopt;
  }
  std::vector<std::string> values;
  for (const auto& operand : condition.operands) {
    auto some = equal_values(operand, attribute);
    if (!some) {
      return std::nullopt;
    }
    for (auto& value : *some) {
      add_once(values, std::move(value));
    }
  }
  return values;
}

std::optional<KeyTest> sort_test(const Expression& condition, std::string_view attribute) {
  if (condition.kind == Kind::comparison) {
    return comparison_test(condition, attribute);
  }
  const auto is_value = [](const Expression& operand) { return operand.kind == Kind::value; };
  const auto& operands = condition.operands;
  const bool fits = !operands.empty() && operands[0].is_path(attribute) &&
                    std::all_of(operands.begin() + 1, operands.end(), is_value);
  if (fits && condition.kind == Kind::between) {
    return KeyTest{SortOperator::between, operands[1].value, operands[2].value};
  }
  if (fits && condition.kind == Kind::call && condition.name == "begins_with" && operands.size() == 2) {
    return KeyTest{SortOperator::begins_with, operands[1].value};
  }
  return std::nullopt;
}

Status check_key_condition(const table::KeySchema& key, const expression::KeyCondition& condition) {
  WAYBILL_TRY(check_value(key, key.partition, condition.partition_value()));
  if (condition.op != SortOperator::none) {
    WAYBILL_TRY(check_value(key, *key.sort, condition.low_value()));
  }
  if (condition.op == SortOperator::between) {
    WAYBILL_TRY(check_value(key, *key.sort, condition.high_value()));
  }
  return {};
}

}  // namespace waybill::partiql
