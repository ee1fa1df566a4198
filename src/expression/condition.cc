#include "expression/condition.h"

#include <algorithm>
#include <optional>
#include <string>

#include "expression/compare.h"

namespace waybill::expression {

// One evaluation of a condition on one item. Recursion is as deep as the tree, which operators_max bounds.
class Condition::Evaluation {
 public:
  Evaluation(const Condition& condition, item::ItemView item) : condition_(condition), item_(item) {}

  bool holds(uint32_t node) const;

 private:
  // The value of an operand. A size is computed, and kept here for as long as it is looked at.
  class Value {
   public:
    Value(const Evaluation& evaluation, const Operand& operand);
    Value(const Value&) = delete;
    Value& operator=(const Value&) = delete;

    explicit operator bool() const { return view_.has_value(); }
    item::ValueView operator*() const { return *view_; }

   private:
    void set_size(std::optional<item::ValueView> of);

    std::optional<item::ValueView> view_;
    std::string computed_;
  };

  const Operand& operand(const Node& node, uint32_t i) const {
    return condition_.operands_[node.first_operand + i];
  }

  bool all_hold(uint32_t node) const;
  bool any_holds(uint32_t node) const;
  bool leaf_holds(const Node& node) const;
  bool exists(const Node& node) const;
  bool equal(const Node& node) const;
  bool in_order(const Node& node) const;
  bool between(const Node& node) const;
  bool in(const Node& node) const;
  bool of_type(const Node& node) const;
  bool not_contains(const Node& node) const;

  template <typename Test>
  bool both(const Node& node, Test test) const {
    const Value left(*this, operand(node, 0));
    const Value right(*this, operand(node, 1));
    return left && right && test(*left, *right);
  }

  const Condition& condition_;
  item::ItemView item_;
};

Condition::Evaluation::Value::Value(const Evaluation& evaluation, const Operand& operand) {
  const Terms& terms = evaluation.condition_.terms_;
  switch (operand.kind) {
    case Operand::Kind::path:
      view_ = terms.resolve(operand.path, evaluation.item_);
      break;
    case Operand::Kind::literal:
      view_ = terms.literal(operand.literal);
      break;
    case Operand::Kind::size_of_path:
      set_size(terms.resolve(operand.path, evaluation.item_));
      break;
    case Operand::Kind::size_of_literal:
      set_size(terms.literal(operand.literal));
      break;
  }
}

void Condition::Evaluation::Value::set_size(std::optional<item::ValueView> of) {
  const auto size = of ? size_of(*of) : std::nullopt;
  if (size) {
    item::append_scalar(computed_, item::Type::number, std::to_string(*size));
    view_ = item::ValueView(computed_.data());
  }
}

bool Condition::Evaluation::holds(uint32_t node) const {
  switch (condition_.nodes_[node].op) {
    case Operator::all:
      return all_hold(node);
    case Operator::any:
      return any_holds(node);
    case Operator::negate:
      return !holds(node + 1);
    default:
      return leaf_holds(condition_.nodes_[node]);
  }
}

bool Condition::Evaluation::all_hold(uint32_t node) const {
  for (uint32_t child = node + 1; child < condition_.nodes_[node].end; child = condition_.nodes_[child].end) {
    if (!holds(child)) {
      return false;
    }
  }
  return true;
}

bool Condition::Evaluation::any_holds(uint32_t node) const {
  for (uint32_t child = node + 1; child < condition_.nodes_[node].end; child = condition_.nodes_[child].end) {
    if (holds(child)) {
      return true;
    }
  }
  return false;
}

bool Condition::Evaluation::leaf_holds(const Node& node) const {
  switch (node.op) {
    case Operator::attribute_exists:
      return exists(node);
    case Operator::attribute_not_exists:
      return !exists(node);
    case Operator::equal:
      return equal(node);
    case Operator::not_equal:
      // What is missing differs from everything, even from something else that is missing.
      return !equal(node);
    case Operator::between:
      return between(node);
    case Operator::in:
      return in(node);
    case Operator::attribute_type:
      return of_type(node);
    case Operator::begins_with:
      return both(node, begins_with);
    case Operator::contains:
      return both(node, contains);
    case Operator::not_contains:
      return not_contains(node);
    default:
      return in_order(node);
  }
}

bool Condition::Evaluation::exists(const Node& node) const {
  return condition_.terms_.resolve(operand(node, 0).path, item_).has_value();
}

bool Condition::Evaluation::equal(const Node& node) const {
  return both(node, [](item::ValueView a, item::ValueView b) { return item::equal(a, b); });
}

bool Condition::Evaluation::in_order(const Node& node) const {
  return both(node, [&node](item::ValueView a, item::ValueView b) {
    const auto order = item::compare(a, b);
    if (!order) {
      return false;
    }
    switch (node.op) {
      case Operator::less:
        return *order < 0;
      case Operator::less_or_equal:
        return *order <= 0;
      case Operator::greater:
        return *order > 0;
      default:
        return *order >= 0;
    }
  });
}

bool Condition::Evaluation::between(const Node& node) const {
  const Value value(*this, operand(node, 0));
  const Value low(*this, operand(node, 1));
  const Value high(*this, operand(node, 2));
  return value && low && high && item::compare(*value, *low).value_or(-1) >= 0 &&
         item::compare(*value, *high).value_or(1) <= 0;
}

bool Condition::Evaluation::in(const Node& node) const {
  const Value value(*this, operand(node, 0));
  if (!value) {
    return false;
  }
  for (uint32_t i = 1; i < node.operand_count; ++i) {
    const Value candidate(*this, operand(node, i));
    if (candidate && item::equal(*value, *candidate)) {
      return true;
    }
  }
  return false;
}

bool Condition::Evaluation::of_type(const Node& node) const {
  return both(node, [](item::ValueView value, item::ValueView name) {
    return item::type_name(value.type()) == name.bytes();
  });
}

bool Condition::Evaluation::not_contains(const Node& node) const {
  // Unlike NOT contains(): an attribute that is missing does not match.
  return both(node, [](item::ValueView a, item::ValueView b) { return !contains(a, b); });
}

bool Condition::holds(item::ItemView item) const {
  return nodes_.empty() || Evaluation(*this, item).holds(0);
}

bool Condition::mentions(std::string_view top_level_name) const {
  return std::any_of(operands_.begin(), operands_.end(), [&](const Operand& operand) {
    const bool has_path = operand.kind == Operand::Kind::path || operand.kind == Operand::Kind::size_of_path;
    return has_path && terms_.top_level(operand.path) == top_level_name;
  });
}

}  // namespace waybill::expression
