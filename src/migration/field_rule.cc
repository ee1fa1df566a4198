#include "migration/field_rule.h"

#include <utility>

namespace waybill::migration {

namespace {

using Value = std::optional<item::ValueView>;
using Mode = FieldRule::Mode;

bool same(const Value& a, const Value& b) {
  return a.has_value() == b.has_value() && (!a || item::equal(*a, *b));
}

// A field before and after a change.
struct Field {
  Value before;
  Value after;

  bool is_changed() const { return !same(before, after); }
};

Field field_of(const std::string& name, const std::optional<item::ItemView>& before, item::ItemView after) {
  return {before ? before->find(name) : std::nullopt, after.find(name)};
}

std::optional<item::Item> agree(const FieldRule& rule, const std::optional<item::ItemView>& before,
                                item::ItemView after) {
  const Field counts = field_of(rule.counts, before, after);
  const Field other = field_of(rule.other, before, after);
  if (same(counts.after, other.after)) {
    return {};
  }
  if (!counts.after) {
    const bool is_taken_away = rule.heeds_removal && counts.before && !other.is_changed();
    return is_taken_away ? with_attribute(after, rule.other, std::nullopt)
                         : with_attribute(after, rule.counts, other.after);
  }
  const bool other_wins = other.after && other.is_changed() && !counts.is_changed();
  return other_wins ? with_attribute(after, rule.counts, other.after)
                    : with_attribute(after, rule.other, counts.after);
}

std::optional<item::Item> move(const FieldRule& rule, const std::optional<item::ItemView>& before,
                               item::ItemView after) {
  const Field counts = field_of(rule.counts, before, after);
  const Field other = field_of(rule.other, before, after);
  if (!other.after) {
    return {};
  }
  item::Item made = with_attribute(after, rule.other, std::nullopt);
  const bool is_meant = !counts.after || (other.is_changed() && !counts.is_changed());
  return is_meant ? with_attribute(made.view(), rule.counts, other.after) : std::move(made);
}

std::optional<item::Item> fill(const FieldRule& rule, item::ItemView after) {
  if (after.find(rule.counts) || (!rule.having.empty() && !after.find(rule.having))) {
    return {};
  }
  return with_attribute(after, rule.counts, item::ValueView(rule.initial.data()));
}

std::optional<item::Item> unfill(const FieldRule& rule, const std::optional<item::ItemView>& before,
                                 item::ItemView after) {
  const bool is_walk = before && before->encoded() == after.encoded();
  if (!is_walk || !same(after.find(rule.counts), item::ValueView(rule.initial.data()))) {
    return {};
  }
  return with_attribute(after, rule.counts, std::nullopt);
}

std::optional<item::Item> keep_out(const FieldRule& rule, const std::optional<item::ItemView>& before,
                                   item::ItemView after) {
  const Field other = field_of(rule.other, before, after);
  if (!other.after || !other.is_changed()) {
    return {};
  }
  return with_attribute(after, rule.other, other.before);
}

FieldRule rule_of_rename(const Migration& migration) {
  FieldRule rule;
  rule.counts = migration.new_field;
  rule.other = migration.old_field;
  switch (migration.step) {
    case Step::dual_write:
    case Step::backfilling:
    case Step::filled:
    case Step::verified:
      rule.mode = Mode::agree;
      rule.heeds_removal = true;
      std::swap(rule.counts, rule.other);
      break;
    case Step::switched:
    case Step::restoring:
      rule.mode = Mode::agree;
      break;
    case Step::stopped:
    case Step::dropping:
      rule.mode = Mode::move;
      break;
    case Step::removing:
      rule.mode = Mode::move;
      std::swap(rule.counts, rule.other);
      break;
    case Step::done:
    case Step::backed_out:
      break;
  }
  return rule;
}

FieldRule rule_of_add(const Migration& migration) {
  FieldRule rule;
  rule.counts = migration.new_field;
  rule.initial = migration.initial;
  rule.having = migration.having;
  if (migration.step == Step::removing) {
    rule.mode = Mode::unfill;
  } else if (!is_over(migration.step)) {
    rule.mode = Mode::fill;
  }
  return rule;
}

FieldRule rule_of_remove(const Migration& migration) {
  FieldRule rule;
  rule.other = migration.old_field;
  if (migration.step == Step::stopped) {
    rule.mode = Mode::keep_out;
  } else if (migration.step == Step::dropping) {
    rule.mode = Mode::take_away;
  }
  return rule;
}

}  // namespace

FieldRule rule_of(const Migration& migration) {
  switch (migration.kind) {
    case Kind::rename:
      return rule_of_rename(migration);
    case Kind::add:
      return rule_of_add(migration);
    case Kind::remove:
      return rule_of_remove(migration);
    case Kind::key:
      break;
  }
  return {};
}

std::optional<item::Item> rewrite(const FieldRule& rule, std::optional<item::ItemView> before,
                                  item::ItemView after) {
  switch (rule.mode) {
    case Mode::none:
      break;
    case Mode::agree:
      return agree(rule, before, after);
    case Mode::move:
      return move(rule, before, after);
    case Mode::fill:
      return fill(rule, after);
    case Mode::unfill:
      return unfill(rule, before, after);
    case Mode::keep_out:
      return keep_out(rule, before, after);
    case Mode::take_away:
      return after.find(rule.other) ? std::optional(with_attribute(after, rule.other, std::nullopt))
                                    : std::nullopt;
  }
  return {};
}

item::Item with_attribute(item::ItemView item, std::string_view name, std::optional<item::ValueView> value) {
  item::Item made;
  made.encoded.reserve(item.encoded().size() + name.size() + 16);
  item::AttributeCursor cursor(item);
  bool is_placed = !value;
  while (cursor.next()) {
    if (cursor.name() != name) {
      made.encoded.append(cursor.encoded());
    } else if (value) {
      item::append_attribute(made.encoded, name, *value);
      is_placed = true;
    }
  }
  if (!is_placed) {
    item::append_attribute(made.encoded, name, *value);
  }
  return made;
}

bool is_filled(const Migration& migration, item::ItemView item) {
  return !rewrite(rule_of(migration), item, item);
}

}  // namespace waybill::migration
