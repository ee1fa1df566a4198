#include "expression/key_condition.h"

#include <optional>

#include "expression/condition.h"

namespace waybill::expression {

// Takes the tree of a condition and finds in it what a query of one partition can do.
class KeyConditionReader {
 public:
  explicit KeyConditionReader(const Condition& condition) : condition_(condition) {}

  // The conditions on single attributes that the tree is made of, all joined by AND.
  Result<KeyRules> read();

 private:
  using Operator = Condition::Operator;
  using Operand = Condition::Operand;
  using Node = Condition::Node;

  // The one path among a condition's operands.
  struct Attribute {
    uint32_t position = 0;
    std::string_view name;
  };

  Status check_operator(const Node& node) const;
  Status check_first_operand(const Node& node) const;
  Result<Attribute> attribute_of(const Node& node) const;
  Result<KeyRule> rule_of(const Node& node) const;
  const Operand& operand(const Node& node, uint32_t i) const {
    return condition_.operands_[node.first_operand + i];
  }

  const Condition& condition_;
};

namespace {

SortOperator mirrored(SortOperator op) {
  switch (op) {
    case SortOperator::less:
      return SortOperator::greater;
    case SortOperator::less_or_equal:
      return SortOperator::greater_or_equal;
    case SortOperator::greater:
      return SortOperator::less;
    case SortOperator::greater_or_equal:
      return SortOperator::less_or_equal;
    default:
      return op;
  }
}

Error bad_operator(std::string_view name) {
  return invalid("Invalid operator used in KeyConditionExpression: " + std::string(name));
}

Error bad_condition(std::string_view text) {
  return invalid("Invalid condition in KeyConditionExpression: " + std::string(text));
}

}  // namespace

Result<KeyRules> KeyConditionReader::read() {
  KeyRules rules;
  for (const Node& node : condition_.nodes_) {
    if (node.op == Operator::all) {
      continue;
    }
    WAYBILL_TRY(check_operator(node));
    WAYBILL_TRY(check_first_operand(node));
    WAYBILL_TRY_ASSIGN(KeyRule rule, rule_of(node));
    for (const KeyRule& other : rules) {
      if (other.name == rule.name) {
        return invalid(
            "Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition per "
            "key");
      }
    }
    rules.push_back(std::move(rule));
  }
  return rules;
}

Status KeyConditionReader::check_operator(const Node& node) const {
  switch (node.op) {
    case Operator::any:
      return bad_operator("OR");
    case Operator::negate:
      return bad_operator("NOT");
    case Operator::in:
      return bad_operator("IN");
    case Operator::not_equal:
      return bad_operator("<>");
    case Operator::attribute_exists:
      return bad_operator("attribute_exists");
    case Operator::attribute_not_exists:
      return bad_operator("attribute_not_exists");
    case Operator::attribute_type:
      return bad_operator("attribute_type");
    case Operator::contains:
      return bad_operator("contains");
    default:
      return {};
  }
}

Status KeyConditionReader::check_first_operand(const Node& node) const {
  const bool wants_path = node.op == Operator::between || node.op == Operator::begins_with;
  if (wants_path && operand(node, 0).kind == Operand::Kind::literal) {
    return bad_condition(node.op == Operator::between
                             ? "BETWEEN operator must have the key attribute as its first operand"
                             : "begins_with operator must have the key attribute as its first operand");
  }
  return {};
}

Result<KeyConditionReader::Attribute> KeyConditionReader::attribute_of(const Node& node) const {
  std::optional<Attribute> found;
  for (uint32_t i = 0; i < node.operand_count; ++i) {
    const Operand& candidate = operand(node, i);
    if (candidate.kind == Operand::Kind::literal) {
      continue;
    }
    if (candidate.kind != Operand::Kind::path) {
      return invalid("KeyConditionExpressions cannot contain nested operations");
    }
    if (found) {
      return bad_condition("Multiple attribute names used in one condition");
    }
    if (candidate.path.count > 1) {
      return invalid(
          "Invalid KeyConditionExpression: KeyConditionExpressions cannot have conditions on nested "
          "attributes");
    }
    found = Attribute{i, condition_.terms_.top_level(candidate.path)};
  }
  if (!found) {
    return bad_condition("No key attribute specified");
  }
  return *found;
}

Result<KeyRule> KeyConditionReader::rule_of(const Node& node) const {
  WAYBILL_TRY_ASSIGN(const Attribute attribute, attribute_of(node));
  KeyRule rule{.name = std::string(attribute.name)};
  switch (node.op) {
    case Operator::less:
      rule.op = SortOperator::less;
      break;
    case Operator::less_or_equal:
      rule.op = SortOperator::less_or_equal;
      break;
    case Operator::greater:
      rule.op = SortOperator::greater;
      break;
    case Operator::greater_or_equal:
      rule.op = SortOperator::greater_or_equal;
      break;
    case Operator::between:
      rule.op = SortOperator::between;
      break;
    case Operator::begins_with:
      rule.op = SortOperator::begins_with;
      break;
    default:
      rule.op = SortOperator::equal;
      break;
  }
  if (attribute.position > 0) {
    rule.op = mirrored(rule.op);
  }
  for (uint32_t i = 0; i < node.operand_count; ++i) {
    if (i != attribute.position) {
      std::string& place = rule.low.empty() ? rule.low : rule.high;
      place = condition_.terms_.literal(operand(node, i).literal).encoded();
    }
  }
  return rule;
}

Result<KeyRules> parse_key_rules(std::string_view text, Placeholders& placeholders) {
  WAYBILL_TRY_ASSIGN(const Condition condition,
                     Condition::parse(text, ExpressionKind::key_condition, placeholders));
  WAYBILL_TRY_ASSIGN(auto rules, KeyConditionReader(condition).read());
  WAYBILL_TRY(check_rule_count(rules));
  return rules;
}

}  // namespace waybill::expression
