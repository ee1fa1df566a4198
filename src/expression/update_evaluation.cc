#include "expression/update_evaluation.h"

#include <algorithm>
#include <vector>

namespace waybill::expression {

namespace {

Error wrong_type(bool legacy) {
  return invalid(legacy ? "Type mismatch for attribute to update"
                        : "An operand in the update expression has an incorrect data type");
}

Error missing_attribute() {
  return invalid("The provided expression refers to an attribute that does not exist in the item");
}

std::vector<std::string_view> sorted_members(item::ValueView set) {
  std::vector<std::string_view> members;
  for (auto cursor = set.set_members(); cursor.next();) {
    members.push_back(cursor.bytes());
  }
  std::sort(members.begin(), members.end());
  return members;
}

bool are_numbers(item::ValueView a, item::ValueView b) {
  return a.type() == item::Type::number && b.type() == item::Type::number;
}

}  // namespace

Result<item::Item> Update::apply(item::ItemView before, ItemPresence presence) const {
  return UpdateEvaluation(*this, before, presence).apply();
}

Result<item::Item> UpdateEvaluation::apply() {
  for (const Action& action : update_.actions_) {
    WAYBILL_TRY_ASSIGN(const Outcome outcome, evaluate(action));
    outcomes_.push_back(outcome);
    is_found_.push_back(0);
  }
  out_.reserve(before_.encoded().size() + computed_.size() + 64);
  WAYBILL_TRY(rewrite_members(before_, update_.targets_.all(), 0));
  return item::Item{std::move(out_)};
}

Result<UpdateEvaluation::Outcome> UpdateEvaluation::evaluate(const Action& action) {
  switch (action.operation) {
    case Update::Operation::set:
      return evaluate_set(action);
    case Update::Operation::add:
      return evaluate_add(action);
    case Update::Operation::remove_members:
      return evaluate_remove_members(action);
    case Update::Operation::remove:
      break;
  }
  return Outcome{.kind = Outcome::Kind::remove};
}

Result<UpdateEvaluation::Outcome> UpdateEvaluation::evaluate_set(const Action& action) {
  const Update::Value& value = update_.values_[action.value];
  switch (value.kind) {
    case Kind::plus:
    case Kind::minus:
      return sum(value);
    case Kind::list_append: {
      WAYBILL_TRY_ASSIGN(const item::ValueView left, operand(value.left));
      WAYBILL_TRY_ASSIGN(const item::ValueView right, operand(value.right));
      return append_lists(left, right);
    }
    default:
      break;
  }
  WAYBILL_TRY_ASSIGN(const item::ValueView view, operand(action.value));
  return Outcome{.kind = Outcome::Kind::write, .value = view.encoded().data()};
}

// A path, a literal, or if_not_exists over these. Sums and list_append do not stand inside functions.
Result<item::ValueView> UpdateEvaluation::operand(uint32_t index) const {
  for (;;) {
    const Update::Value& value = update_.values_[index];
    if (value.kind == Kind::literal) {
      return update_.terms_.literal(value.literal);
    }
    const auto found = update_.terms_.resolve(value.path, before_);
    if (found) {
      return *found;
    }
    if (value.kind != Kind::if_not_exists) {
      return missing_attribute();
    }
    index = value.right;
  }
}

Result<UpdateEvaluation::Outcome> UpdateEvaluation::sum(const Update::Value& value) {
  WAYBILL_TRY_ASSIGN(const item::ValueView left, operand(value.left));
  WAYBILL_TRY_ASSIGN(const item::ValueView right, operand(value.right));
  if (!are_numbers(left, right)) {
    return wrong_type(/*legacy=*/false);
  }
  const auto a = item::Decimal::from_normal(left.bytes());
  const auto b = item::Decimal::from_normal(right.bytes());
  WAYBILL_TRY_ASSIGN(const item::Decimal result,
                     value.kind == Kind::plus ? item::Decimal::add(a, b) : item::Decimal::subtract(a, b));
  return number(result);
}

UpdateEvaluation::Outcome UpdateEvaluation::number(const item::Decimal& value) {
  std::string text;
  value.append_text(text);
  const std::size_t at = computed_.size();
  item::append_scalar(computed_, item::Type::number, text);
  return computed(at);
}

Result<UpdateEvaluation::Outcome> UpdateEvaluation::append_lists(item::ValueView left,
                                                                 item::ValueView right) {
  if (left.type() != item::Type::list || right.type() != item::Type::list) {
    return wrong_type(/*legacy=*/false);
  }
  const std::size_t at = computed_.size();
  const std::size_t mark = item::open_container(computed_, item::Type::list);
  for (const item::ValueView list : {left, right}) {
    for (auto elements = list.elements(); elements.next();) {
      computed_.append(elements.value().encoded());
    }
  }
  item::close_container(computed_, mark);
  return computed(at);
}

Result<UpdateEvaluation::Outcome> UpdateEvaluation::evaluate_add(const Action& action) {
  const item::ValueView added = update_.terms_.literal(action.literal);
  const auto existing = update_.terms_.resolve(action.target, before_);
  if (!existing) {
    return Outcome{.kind = Outcome::Kind::write, .value = added.encoded().data()};
  }
  if (are_numbers(*existing, added)) {
    WAYBILL_TRY_ASSIGN(const item::Decimal total,
                       item::Decimal::add(item::Decimal::from_normal(existing->bytes()),
                                          item::Decimal::from_normal(added.bytes())));
    return number(total);
  }
  if (item::is_set(added.type()) && existing->type() == added.type()) {
    return unite(*existing, added);
  }
  if (action.legacy && added.type() == item::Type::list && existing->type() == item::Type::list) {
    return append_lists(*existing, added);
  }
  return wrong_type(action.legacy);
}

Result<UpdateEvaluation::Outcome> UpdateEvaluation::evaluate_remove_members(const Action& action) {
  const item::ValueView removed = update_.terms_.literal(action.literal);
  const auto existing = update_.terms_.resolve(action.target, before_);
  if (!existing) {
    return Outcome{};
  }
  if (existing->type() != removed.type()) {
    return wrong_type(action.legacy);
  }
  return subtract(*existing, removed);
}

UpdateEvaluation::Outcome UpdateEvaluation::unite(item::ValueView set, item::ValueView added) {
  auto all = sorted_members(set);
  const auto present = all;
  for (auto members = added.set_members(); members.next();) {
    if (!std::binary_search(present.begin(), present.end(), members.bytes())) {
      all.push_back(members.bytes());
    }
  }
  const std::size_t at = computed_.size();
  item::append_set(computed_, set.type(), std::move(all));
  return computed(at);
}

// A set without members does not exist: the attribute goes with the last of them.
UpdateEvaluation::Outcome UpdateEvaluation::subtract(item::ValueView set, item::ValueView removed) {
  const auto gone = sorted_members(removed);
  const std::size_t at = computed_.size();
  const std::size_t mark = item::open_container(computed_, set.type());
  for (auto members = set.set_members(); members.next();) {
    if (!std::binary_search(gone.begin(), gone.end(), members.bytes())) {
      item::append_set_member(computed_, members.bytes());
    }
  }
  if (computed_.size() == mark) {
    computed_.resize(at);
    return Outcome{.kind = Outcome::Kind::remove};
  }
  item::close_container(computed_, mark);
  return computed(at);
}

}  // namespace waybill::expression
