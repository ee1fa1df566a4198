#include "expression/legacy_condition.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "item/json.h"

namespace waybill::expression {

namespace {

using item::Type;

// Which types of argument an operator takes.
enum class Arguments : unsigned char { any, ordered, scalar, text };

struct Rules {
  std::string_view name;
  LegacyOperator op;
  std::size_t count_min;
  std::size_t count_max;
  Arguments arguments;
};

constexpr std::array<Rules, 13> rules_of_operators = {{
    {"EQ", LegacyOperator::eq, 1, 1, Arguments::any},
    {"NE", LegacyOperator::ne, 1, 1, Arguments::any},
    {"IN", LegacyOperator::in, 1, SIZE_MAX, Arguments::ordered},
    {"LE", LegacyOperator::le, 1, 1, Arguments::ordered},
    {"LT", LegacyOperator::lt, 1, 1, Arguments::ordered},
    {"GE", LegacyOperator::ge, 1, 1, Arguments::ordered},
    {"GT", LegacyOperator::gt, 1, 1, Arguments::ordered},
    {"BETWEEN", LegacyOperator::between, 2, 2, Arguments::ordered},
    {"NOT_NULL", LegacyOperator::not_null, 0, 0, Arguments::any},
    {"NULL", LegacyOperator::null, 0, 0, Arguments::any},
    {"CONTAINS", LegacyOperator::contains, 1, 1, Arguments::scalar},
    {"NOT_CONTAINS", LegacyOperator::not_contains, 1, 1, Arguments::scalar},
    {"BEGINS_WITH", LegacyOperator::begins_with, 1, 1, Arguments::text},
}};

constexpr std::string_view operator_constraint =
    "Member must satisfy enum value set: [IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, "
    "BEGINS_WITH, GE, CONTAINS]";

bool takes(Arguments arguments, Type type) {
  const bool is_text = type == Type::string || type == Type::binary;
  const bool is_ordered = is_text || type == Type::number;
  switch (arguments) {
    case Arguments::any:
      return true;
    case Arguments::ordered:
      return is_ordered;
    case Arguments::scalar:
      return is_ordered || type == Type::boolean || type == Type::null;
    case Arguments::text:
      return is_text;
  }
  return false;
}

Error bad_parameter(std::string_view text) {
  return invalid("One or more parameter values were invalid: " + std::string(text));
}

Error bad_parameter_of(std::string_view text, std::string_view attribute) {
  return bad_parameter(std::string(text).append(" for Attribute: ").append(attribute));
}

Error malformed() {
  return Error{ErrorKind::malformed, "Unexpected field type", {}};
}

Result<const Rules*> find_rules(const json::Value& name, std::string_view parameter,
                                std::string_view attribute) {
  if (!name.is_string()) {
    return malformed();
  }
  for (const Rules& rules : rules_of_operators) {
    if (rules.name == name.string()) {
      return &rules;
    }
  }
  return constraint_error(
      name.string(),
      std::string(parameter).append(".").append(attribute).append(".member.comparisonOperator"),
      operator_constraint);
}

Status add_value(LegacyCondition& condition, const json::Value& value) {
  condition.value_at.push_back(condition.values.size());
  return item::append_value(condition.values, value);
}

Status add_values(LegacyCondition& condition, const json::Value& list) {
  if (!list.is_array()) {
    return malformed();
  }
  for (json::Elements elements(list); elements.next();) {
    WAYBILL_TRY(add_value(condition, elements.value()));
  }
  return {};
}

Status check_arguments(const LegacyCondition& condition, const Rules& rules) {
  const std::size_t count = condition.value_at.size();
  if (count < rules.count_min || count > rules.count_max) {
    return bad_parameter("Invalid number of argument(s) for the " + std::string(rules.name) +
                         " ComparisonOperator");
  }
  for (std::size_t i = 1; i < count; ++i) {
    if (condition.value(i).type() != condition.value(0).type()) {
      return bad_parameter("AttributeValues inside AttributeValueList must be of same type");
    }
  }
  if (count > 0 && !takes(rules.arguments, condition.value(0).type())) {
    return bad_parameter(std::string("ComparisonOperator ")
                             .append(rules.name)
                             .append(" is not valid for ")
                             .append(item::type_name(condition.value(0).type()))
                             .append(" AttributeValue type"));
  }
  if (condition.op == LegacyOperator::between &&
      item::compare(condition.value(0), condition.value(1)).value_or(0) > 0) {
    return invalid(
        "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound");
  }
  return {};
}

// Expected without ComparisonOperator: {Value} or {Exists: false}.
Result<LegacyCondition> read_plain_expectation(const JsonMember& member,
                                               const std::optional<json::Value>& value) {
  const auto exists = present(member.value, "Exists");
  if (exists && exists->type() != json::Type::boolean) {
    return malformed();
  }
  LegacyCondition condition{.attribute = member.key};
  if (exists && !exists->boolean()) {
    if (value) {
      return bad_parameter_of("Value cannot be used when Exists is false", member.key);
    }
    condition.op = LegacyOperator::null;
    return condition;
  }
  if (!value) {
    return bad_parameter_of(
        exists ? "Value must be provided when Exists is true" : "Value must be provided when Exists is null",
        member.key);
  }
  WAYBILL_TRY(add_value(condition, *value));
  return condition;
}

}  // namespace

std::optional<json::Value> present(const json::Value& object, std::string_view key) {
  auto value = object.find(key);
  return value && !value->is_null() ? value : std::nullopt;
}

Result<std::vector<JsonMember>> unique_members(const json::Value& object) {
  if (!object.is_object()) {
    return malformed();
  }
  struct Placed {
    JsonMember member;
    std::size_t order;
  };
  std::vector<Placed> placed;
  for (json::Members members(object); members.next();) {
    placed.push_back({{members.key(), members.value()}, placed.size()});
  }
  std::sort(placed.begin(), placed.end(), [](const Placed& a, const Placed& b) {
    return std::tie(a.member.key, b.order) < std::tie(b.member.key, a.order);
  });
  const auto end = std::unique(placed.begin(), placed.end(),
                               [](const Placed& a, const Placed& b) { return a.member.key == b.member.key; });
  std::sort(placed.begin(), end, [](const Placed& a, const Placed& b) { return a.order < b.order; });
  std::vector<JsonMember> unique;
  std::transform(placed.begin(), end, std::back_inserter(unique),
                 [](const Placed& each) { return each.member; });
  return unique;
}

Error constraint_error(std::optional<std::string_view> value, std::string_view place,
                       std::string_view constraint) {
  std::string text = "1 validation error detected: Value ";
  if (value) {
    text.append("'").append(*value).append("'");
  } else {
    text.append("null");
  }
  return invalid(
      text.append(" at '").append(place).append("' failed to satisfy constraint: ").append(constraint));
}

Result<LegacyCondition> read_legacy_condition(const JsonMember& member, std::string_view parameter) {
  if (!member.value.is_object()) {
    return malformed();
  }
  const auto name = present(member.value, "ComparisonOperator");
  if (!name) {
    return constraint_error(
        std::nullopt,
        std::string(parameter).append(".").append(member.key).append(".member.comparisonOperator"),
        "Member must not be null");
  }
  WAYBILL_TRY_ASSIGN(const Rules* const rules, find_rules(*name, parameter, member.key));
  LegacyCondition condition{.attribute = member.key, .op = rules->op};
  if (const auto list = present(member.value, "AttributeValueList")) {
    WAYBILL_TRY(add_values(condition, *list));
  }
  WAYBILL_TRY(check_arguments(condition, *rules));
  return condition;
}

Result<LegacyCondition> read_expectation(const JsonMember& member) {
  if (!member.value.is_object()) {
    return malformed();
  }
  const auto name = present(member.value, "ComparisonOperator");
  const auto list = present(member.value, "AttributeValueList");
  const auto value = present(member.value, "Value");
  if (list && value) {
    return bad_parameter_of("Value and AttributeValueList cannot be used together", member.key);
  }
  if (!name) {
    return list
               ? bad_parameter_of("AttributeValueList can only be used with a ComparisonOperator", member.key)
               : read_plain_expectation(member, value);
  }
  WAYBILL_TRY_ASSIGN(const Rules* const rules, find_rules(*name, "expected", member.key));
  if (present(member.value, "Exists")) {
    return bad_parameter_of("Exists and ComparisonOperator cannot be used together", member.key);
  }
  if (rules->count_min > 0 && !list && !value) {
    return bad_parameter_of(
        "Value or AttributeValueList must be used with ComparisonOperator: " + std::string(rules->name),
        member.key);
  }
  LegacyCondition condition{.attribute = member.key, .op = rules->op};
  if (list) {
    WAYBILL_TRY(add_values(condition, *list));
  } else if (value) {
    WAYBILL_TRY(add_value(condition, *value));
  }
  WAYBILL_TRY(check_arguments(condition, *rules));
  return condition;
}

}  // namespace waybill::expression
