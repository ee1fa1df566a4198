#include "expression/key_condition.h"

namespace waybill::expression {

namespace {

KeyRule* find(KeyRules& rules, std::string_view name) {
  for (KeyRule& rule : rules) {
    if (rule.name == name) {
      return &rule;
    }
  }
  return nullptr;
}

Error missed(std::string_view name) {
  return invalid("Query condition missed key schema element: " + std::string(name));
}

Status check_type(const KeyRule& rule, std::optional<item::Type> type) {
  for (const std::string* value : {&rule.low, &rule.high}) {
    if (type && !value->empty() && item::ValueView(value->data()).type() != *type) {
      return invalid(
          "One or more parameter values were invalid: Condition parameter type does not match schema type");
    }
  }
  return {};
}

}  // namespace

Status check_rule_count(const KeyRules& rules) {
  return rules.empty() || rules.size() > 2 ? invalid("Conditions can be of length 1 or 2 only") : Status();
}

Result<KeyCondition> match_key(KeyRules rules, const KeyNames& key) {
  if (rules.size() == 2 && !key.sort) {
    return invalid("Query key condition not supported");
  }
  KeyRule* const partition = find(rules, key.partition);
  if (partition == nullptr) {
    return missed(key.partition);
  }
  WAYBILL_TRY(check_type(*partition, key.partition_type));
  KeyRule* sort = nullptr;
  if (rules.size() == 2) {
    sort = find(rules, *key.sort);
    if (sort == nullptr) {
      return missed(*key.sort);
    }
    WAYBILL_TRY(check_type(*sort, key.sort_type));
  }
  for (const KeyRule& rule : rules) {
    if (rule.op == SortOperator::none) {
      return invalid("Attempted conditional constraint is not an indexable operation");
    }
  }
  if (partition->op != SortOperator::equal) {
    return invalid("Query key condition not supported");
  }
  KeyCondition condition;
  condition.partition = std::move(partition->low);
  if (sort != nullptr) {
    condition.op = sort->op;
    condition.low = std::move(sort->low);
    condition.high = std::move(sort->high);
  }
  return condition;
}

}  // namespace waybill::expression
