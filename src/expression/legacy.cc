#include "expression/legacy.h"

#include <vector>

#include "expression/legacy_condition.h"
#include "item/json.h"

namespace waybill::expression {

// Builds the tree that an expression of the same meaning would have.
class ConditionBuilder {
 public:
  static Condition build(const std::vector<LegacyCondition>& conditions,
                         std::optional<std::string_view> conditional_operator);

 private:
  using Operator = Condition::Operator;
  using Operand = Condition::Operand;

  static Operator operator_for(LegacyOperator op);
  void add(const LegacyCondition& legacy);

  Condition condition_;
};

class UpdateBuilder {
 public:
  // Each errs with the service's text.
  Status add(const JsonMember& member);

  Update finish();

 private:
  using Operation = Update::Operation;

  Status check_value(Operation operation, item::Type type) const;

  Update update_;
};

namespace {

Error bad_parameter(std::string_view text) {
  return invalid("One or more parameter values were invalid: " + std::string(text));
}

SortOperator sort_operator(LegacyOperator op) {
  switch (op) {
    case LegacyOperator::eq:
      return SortOperator::equal;
    case LegacyOperator::le:
      return SortOperator::less_or_equal;
    case LegacyOperator::lt:
      return SortOperator::less;
    case LegacyOperator::ge:
      return SortOperator::greater_or_equal;
    case LegacyOperator::gt:
      return SortOperator::greater;
    case LegacyOperator::between:
      return SortOperator::between;
    case LegacyOperator::begins_with:
      return SortOperator::begins_with;
    default:
      return SortOperator::none;
  }
}

}  // namespace

ConditionBuilder::Operator ConditionBuilder::operator_for(LegacyOperator op) {
  switch (op) {
    case LegacyOperator::eq:
      return Operator::equal;
    case LegacyOperator::ne:
      return Operator::not_equal;
    case LegacyOperator::in:
      return Operator::in;
    case LegacyOperator::le:
      return Operator::less_or_equal;
    case LegacyOperator::lt:
      return Operator::less;
    case LegacyOperator::ge:
      return Operator::greater_or_equal;
    case LegacyOperator::gt:
      return Operator::greater;
    case LegacyOperator::between:
      return Operator::between;
    case LegacyOperator::not_null:
      return Operator::attribute_exists;
    case LegacyOperator::null:
      return Operator::attribute_not_exists;
    case LegacyOperator::contains:
      return Operator::contains;
    case LegacyOperator::not_contains:
      return Operator::not_contains;
    case LegacyOperator::begins_with:
      return Operator::begins_with;
  }
  return Operator::equal;
}

void ConditionBuilder::add(const LegacyCondition& legacy) {
  PathId path = condition_.terms_.begin_path();
  condition_.terms_.add_name(path, legacy.attribute);
  condition_.nodes_.push_back({.op = operator_for(legacy.op),
                               .end = static_cast<uint32_t>(condition_.nodes_.size() + 1),
                               .first_operand = static_cast<uint32_t>(condition_.operands_.size()),
                               .operand_count = static_cast<uint32_t>(legacy.value_at.size() + 1)});
  condition_.operands_.push_back({.kind = Operand::Kind::path, .path = path, .literal = {}});
  for (std::size_t i = 0; i < legacy.value_at.size(); ++i) {
    const LiteralId literal = condition_.terms_.add_literal(legacy.value(i));
    condition_.operands_.push_back({.kind = Operand::Kind::literal, .path = {}, .literal = literal});
  }
}

Condition ConditionBuilder::build(const std::vector<LegacyCondition>& conditions,
                                  std::optional<std::string_view> conditional_operator) {
  ConditionBuilder builder;
  if (conditions.empty()) {
    return std::move(builder.condition_);
  }
  const bool any = conditional_operator == "OR";
  builder.condition_.nodes_.push_back({.op = any ? Operator::any : Operator::all});
  for (const LegacyCondition& condition : conditions) {
    builder.add(condition);
  }
  builder.condition_.nodes_[0].end = static_cast<uint32_t>(builder.condition_.nodes_.size());
  return std::move(builder.condition_);
}

Status UpdateBuilder::add(const JsonMember& member) {
  if (!member.value.is_object()) {
    return Error{ErrorKind::malformed, "Unexpected field type", {}};
  }
  const auto action = present(member.value, "Action");
  if (action && !action->is_string()) {
    return Error{ErrorKind::malformed, "Unexpected field type", {}};
  }
  const std::string_view name = action ? action->string() : "PUT";
  if (name != "PUT" && name != "ADD" && name != "DELETE") {
    return constraint_error(name, "attributeUpdates." + std::string(member.key) + ".member.action",
                            "Member must satisfy enum value set: [ADD, PUT, DELETE]");
  }
  PathId path = update_.terms_.begin_path();
  update_.terms_.add_name(path, member.key);
  Update::Action step{.operation = Operation::remove, .legacy = true, .target = path};
  const auto value = present(member.value, "Value");
  if (value) {
    std::string encoded;
    WAYBILL_TRY(item::append_value(encoded, *value));
    step.operation = name == "PUT"   ? Operation::set
                     : name == "ADD" ? Operation::add
                                     : Operation::remove_members;
    WAYBILL_TRY(check_value(step.operation, item::ValueView(encoded.data()).type()));
    step.literal = update_.terms_.add_literal(item::ValueView(encoded.data()));
    step.value = static_cast<uint32_t>(update_.values_.size());
    update_.values_.push_back({.kind = Update::Value::Kind::literal, .literal = step.literal});
  } else if (name != "DELETE") {
    return bad_parameter("Only DELETE action is allowed when no attribute value is specified");
  }
  update_.actions_.push_back(step);
  update_.targets_.add(path);
  return {};
}

Status UpdateBuilder::check_value(Operation operation, item::Type type) const {
  if (operation == Operation::remove_members && !item::is_set(type)) {
    return bad_parameter("DELETE action with value is not supported for the type " +
                         std::string(item::type_name(type)));
  }
  const bool can_add = item::is_set(type) || type == item::Type::number || type == item::Type::list;
  if (operation == Operation::add && !can_add) {
    return bad_parameter("ADD action is not supported for the type " + std::string(item::type_name(type)));
  }
  return {};
}

Update UpdateBuilder::finish() {
  update_.targets_.sort(update_.terms_);
  return std::move(update_);
}

Result<Condition> condition_from_expected(const json::Value& expected,
                                          std::optional<std::string_view> conditional_operator) {
  WAYBILL_TRY_ASSIGN(const auto members, unique_members(expected));
  std::vector<LegacyCondition> conditions;
  for (const JsonMember& member : members) {
    WAYBILL_TRY_ASSIGN(LegacyCondition condition, read_expectation(member));
    conditions.push_back(std::move(condition));
  }
  return ConditionBuilder::build(conditions, conditional_operator);
}

Result<Condition> filter_from_conditions(const json::Value& conditions,
                                         std::optional<std::string_view> conditional_operator,
                                         std::string_view parameter) {
  WAYBILL_TRY_ASSIGN(const auto members, unique_members(conditions));
  std::vector<LegacyCondition> read;
  for (const JsonMember& member : members) {
    WAYBILL_TRY_ASSIGN(LegacyCondition condition, read_legacy_condition(member, parameter));
    read.push_back(std::move(condition));
  }
  return ConditionBuilder::build(read, conditional_operator);
}

Result<Update> update_from_attribute_updates(const json::Value& updates) {
  WAYBILL_TRY_ASSIGN(const auto members, unique_members(updates));
  UpdateBuilder builder;
  for (const JsonMember& member : members) {
    WAYBILL_TRY(builder.add(member));
  }
  return builder.finish();
}

Result<KeyRules> key_rules_from_conditions(const json::Value& conditions) {
  WAYBILL_TRY_ASSIGN(const auto members, unique_members(conditions));
  KeyRules rules;
  for (const JsonMember& member : members) {
    WAYBILL_TRY_ASSIGN(const LegacyCondition condition, read_legacy_condition(member, "keyConditions"));
    KeyRule rule{.name = std::string(condition.attribute), .op = sort_operator(condition.op)};
    if (!condition.value_at.empty()) {
      rule.low = condition.value(0).encoded();
    }
    if (condition.op == LegacyOperator::between) {
      rule.high = condition.value(1).encoded();
    }
    rules.push_back(std::move(rule));
  }
  WAYBILL_TRY(check_rule_count(rules));
  return rules;
}

}  // namespace waybill::expression
