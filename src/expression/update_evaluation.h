#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "expression/path_set.h"
#include "expression/small_vector.h"
#include "expression/update.h"
#include "item/number.h"
#include "item/value.h"

namespace waybill::expression {

// One application of an update to one item, in two passes: first what every action comes to, read from the
// item as it was; then the new item, for which whatever no action touches is copied as it is.
class UpdateEvaluation {
 public:
  UpdateEvaluation(const Update& update, item::ItemView before, ItemPresence presence)
      : update_(update), before_(before), presence_(presence) {}

  Result<item::Item> apply();

 private:
  using Action = Update::Action;
  using Kind = Update::Value::Kind;

  // What becomes of a target.
  struct Outcome {
    enum class Kind : unsigned char { keep, remove, write };

    Kind kind = Kind::keep;
    const char* value = nullptr;  // what is written, or nullptr where it is computed_ at `at`
    std::size_t at = 0;
  };

  // First pass: update_evaluation.cc.
  Result<Outcome> evaluate(const Action& action);
  Result<Outcome> evaluate_set(const Action& action);
  Result<Outcome> evaluate_add(const Action& action);
  Result<Outcome> evaluate_remove_members(const Action& action);
  Result<item::ValueView> operand(uint32_t value) const;
  Result<Outcome> sum(const Update::Value& value);
  Result<Outcome> append_lists(item::ValueView left, item::ValueView right);
  Outcome number(const item::Decimal& value);
  Outcome unite(item::ValueView set, item::ValueView added);
  Outcome subtract(item::ValueView set, item::ValueView removed);
  Outcome computed(std::size_t at) const { return {.kind = Outcome::Kind::write, .at = at}; }

  // Second pass: update_rewrite.cc. `range` are the targets below the value at hand, which agree above
  // `depth`.
  Status rewrite_members(item::ItemView members, PathSet::Range range, uint32_t depth);
  Status rewrite_elements(item::ValueView list, PathSet::Range range, uint32_t depth);
  Status rewrite_container(item::ValueView value, PathSet::Range range, uint32_t depth);
  Status append_missing_members(PathSet::Range range, uint32_t depth);
  Status append_missing_elements(PathSet::Range range, uint32_t depth);
  Status check_missing(PathSet::Range range, uint32_t depth) const;
  Status check_nesting(PathSet::Range range, uint32_t depth) const;
  const Outcome& outcome(PathSet::Range range) const {
    return outcomes_[update_.targets_[range.first].origin];
  }
  item::ValueView written(const Outcome& outcome) const;

  const Update& update_;
  item::ItemView before_;
  ItemPresence presence_;
  SmallVector<Outcome, 4> outcomes_;         // by action
  SmallVector<unsigned char, 16> is_found_;  // by target: whether the item has it
  std::string computed_;                     // encoded values
  std::string out_;
};

}  // namespace waybill::expression
