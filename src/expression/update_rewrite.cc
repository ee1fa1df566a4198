#include <algorithm>

#include "expression/update_evaluation.h"
#include "item/json.h"

namespace waybill::expression {

namespace {

Error bad_path() {
  return invalid("The document path provided in the update expression is invalid for update");
}

// How many levels `value` takes, itself included. Stored values are nested no deeper than the service
// allows, which bounds the recursion.
uint32_t nesting_of(item::ValueView value) {
  uint32_t deepest = 0;
  if (value.type() == item::Type::list) {
    for (auto elements = value.elements(); elements.next();) {
      deepest = std::max(deepest, nesting_of(elements.value()));
    }
    return deepest + 1;
  }
  if (value.type() == item::Type::map) {
    for (item::AttributeCursor members(value.members()); members.next();) {
      deepest = std::max(deepest, nesting_of(members.value()));
    }
    return deepest + 1;
  }
  return 1;
}

}  // namespace

item::ValueView UpdateEvaluation::written(const Outcome& outcome) const {
  return item::ValueView(outcome.value != nullptr ? outcome.value : computed_.data() + outcome.at);
}

Status UpdateEvaluation::rewrite_members(item::ItemView members, PathSet::Range range, uint32_t depth) {
  const PathSet& targets = update_.targets_;
  const char* kept = members.encoded().data();  // what stays as it is from here on is copied at once
  const auto copy_kept = [&](const char* end) { out_.append(kept, static_cast<std::size_t>(end - kept)); };
  for (item::AttributeCursor cursor(members); cursor.next();) {
    const auto branch = targets.named(update_.terms_, range, depth, cursor.name());
    if (branch.empty()) {
      continue;
    }
    const bool ends = targets.ends_at(branch, depth);
    if (!ends || outcome(branch).kind != Outcome::Kind::keep) {
      copy_kept(cursor.encoded().data());
      kept = cursor.value().end();
    }
    if (!ends) {
      item::append_name(out_, cursor.name());
      WAYBILL_TRY(rewrite_container(cursor.value(), branch, depth + 1));
    } else if (outcome(branch).kind == Outcome::Kind::write) {
      WAYBILL_TRY(check_nesting(branch, depth));
      item::append_attribute(out_, cursor.name(), written(outcome(branch)));
    }
    // Only now, because the levels below use the same marks.
    is_found_[branch.first] = 1;
  }
  copy_kept(members.encoded().data() + members.encoded().size());
  return append_missing_members(range, depth);
}

Status UpdateEvaluation::append_missing_members(PathSet::Range range, uint32_t depth) {
  while (!range.empty()) {
    const auto branch = update_.targets_.first_branch(update_.terms_, range, depth);
    range.first = branch.last;
    if (is_found_[branch.first] != 0) {
      continue;
    }
    WAYBILL_TRY(check_missing(branch, depth));
    if (outcome(branch).kind == Outcome::Kind::write) {
      WAYBILL_TRY(check_nesting(branch, depth));
      const PathPart& part = update_.targets_.part(update_.terms_, branch.first, depth);
      item::append_attribute(out_, update_.terms_.name_of(part), written(outcome(branch)));
    }
  }
  return {};
}

Status UpdateEvaluation::rewrite_elements(item::ValueView list, PathSet::Range range, uint32_t depth) {
  const PathSet& targets = update_.targets_;
  uint32_t index = 0;
  for (auto elements = list.elements(); elements.next(); ++index) {
    if (range.empty() || targets.part(update_.terms_, range.first, depth).size_or_index != index) {
      out_.append(elements.value().encoded());
      continue;
    }
    const auto branch = targets.first_branch(update_.terms_, range, depth);
    range.first = branch.last;
    if (!targets.ends_at(branch, depth)) {
      WAYBILL_TRY(rewrite_container(elements.value(), branch, depth + 1));
    } else if (outcome(branch).kind == Outcome::Kind::keep) {
      out_.append(elements.value().encoded());
    } else if (outcome(branch).kind == Outcome::Kind::write) {
      WAYBILL_TRY(check_nesting(branch, depth));
      out_.append(written(outcome(branch)).encoded());
    }
  }
  return append_missing_elements(range, depth);
}

// Whatever its index, an element beyond the end goes to the end; several go there in the order of theirs.
Status UpdateEvaluation::append_missing_elements(PathSet::Range range, uint32_t depth) {
  while (!range.empty()) {
    const auto branch = update_.targets_.first_branch(update_.terms_, range, depth);
    range.first = branch.last;
    WAYBILL_TRY(check_missing(branch, depth));
    if (outcome(branch).kind == Outcome::Kind::write) {
      WAYBILL_TRY(check_nesting(branch, depth));
      out_.append(written(outcome(branch)).encoded());
    }
  }
  return {};
}

Status UpdateEvaluation::rewrite_container(item::ValueView value, PathSet::Range range, uint32_t depth) {
  const bool wants_list = update_.targets_.part(update_.terms_, range.first, depth).is_index();
  if (value.type() != (wants_list ? item::Type::list : item::Type::map)) {
    return bad_path();
  }
  const std::size_t mark = item::open_container(out_, value.type());
  if (wants_list) {
    WAYBILL_TRY(rewrite_elements(value, range, depth));
  } else {
    WAYBILL_TRY(rewrite_members(value.members(), range, depth));
  }
  item::close_container(out_, mark);
  return {};
}

// A target that the item does not have may be created, but not what would have to hold it. In an item that
// is not there at all, removing is no error.
Status UpdateEvaluation::check_missing(PathSet::Range range, uint32_t depth) const {
  if (update_.targets_.ends_at(range, depth)) {
    return {};
  }
  for (uint32_t i = range.first; i < range.last; ++i) {
    const bool writes = outcomes_[update_.targets_[i].origin].kind == Outcome::Kind::write;
    if (writes || presence_ == ItemPresence::existing) {
      return bad_path();
    }
  }
  return {};
}

Status UpdateEvaluation::check_nesting(PathSet::Range range, uint32_t depth) const {
  // Only below the top can a value that was fine elsewhere come to stand too deep.
  if (depth > 0 &&
      depth + nesting_of(written(outcome(range))) > static_cast<uint32_t>(item::nesting_levels_max)) {
    return item::nested_too_deep();
  }
  return {};
}

}  // namespace waybill::expression
