#include "job/draft.h"

#include <span>
#include <utility>

#include "expression/condition_tree.h"
#include "expression/update_tree.h"

namespace waybill::job {

namespace {

using expression::ConditionTree;
using expression::PathId;
using expression::Problems;
using expression::Terms;
using expression::UpdateTree;
using item::ItemView;
using item::Type;
using item::ValueView;
using Names = std::span<const std::string>;

std::optional<ValueView> find_in(std::optional<ValueView> value, Names names) {
  for (const auto& name : names) {
    if (!value || value->type() != Type::map) {
      return {};
    }
    value = value->members().find(name);
  }
  return value;
}

// A map with another value at the end of `names`, or without it. What stands on the way and is no map is
// replaced by one.
std::string with(std::optional<ValueView> map, Names names, std::optional<std::string_view> encoded) {
  if (names.empty()) {
    return std::string(*encoded);
  }
  const bool is_map = map && map->type() == Type::map;
  const ItemView members = is_map ? map->members() : ItemView();
  std::string made;
  const auto mark = item::open_container(made, Type::map);
  item::AttributeCursor cursor(members);
  while (cursor.next()) {
    if (cursor.name() != names.front()) {
      made += cursor.encoded();
    }
  }
  const auto inner = members.find(names.front());
  const bool goes = !encoded && (names.size() == 1 || !inner || inner->type() != Type::map);
  if (!goes) {
    item::append_name(made, names.front());
    made += with(inner, names.subspan(1), encoded);
  }
  item::close_container(made, mark);
  return made;
}

PathId named(Terms& terms, const std::string& name) {
  PathId path = terms.begin_path();
  terms.add_name(path, name);
  return path;
}

std::string encoded_text(std::string_view text) {
  std::string encoded;
  item::append_scalar(encoded, Type::string, text);
  return encoded;
}

}  // namespace

Path path_of_text(std::string_view text) {
  Path path;
  while (true) {
    const std::size_t point = text.find('.');
    path.emplace_back(text.substr(0, point));
    if (point == std::string_view::npos) {
      return path;
    }
    text.remove_prefix(point + 1);
  }
}

std::optional<std::string> Draft::attribute(const std::string& name) const {
  if (const auto changed = changes_.find(name); changed != changes_.end()) {
    return changed->second;
  }
  const auto value = seen_.view().find(name);
  return value ? std::optional(std::string(value->encoded())) : std::nullopt;
}

void Draft::put(const std::string& name, std::optional<std::string> encoded) {
  changes_[name] = std::move(encoded);
}

bool Draft::changes(const std::string& name) const {
  const auto changed = changes_.find(name);
  if (changed == changes_.end()) {
    return false;
  }
  const auto before = seen_.view().find(name);
  return changed->second.has_value() != before.has_value() ||
         (before && before->encoded() != *changed->second);
}

std::optional<ValueView> Draft::find(const Path& path) {
  const auto& name = path.front();
  looked_at_.insert(name);
  const auto changed = changes_.find(name);
  std::optional<ValueView> value;
  if (changed == changes_.end()) {
    value = seen_.view().find(name);
  } else if (changed->second) {
    value = ValueView(changed->second->data());
  }
  return find_in(value, Names(path).subspan(1));
}

std::optional<std::string> Draft::text(const Path& path) {
  const auto value = find(path);
  return value && value->type() == Type::string ? std::optional(std::string(value->bytes())) : std::nullopt;
}

std::optional<item::Decimal> Draft::number(const Path& path) {
  const auto value = find(path);
  return value && value->type() == Type::number ? std::optional(item::Decimal::from_normal(value->bytes()))
                                                : std::nullopt;
}

std::optional<int64_t> Draft::integer(const Path& path) {
  const auto found = number(path);
  int64_t whole = 0;
  return found && found->to_int64(whole) ? std::optional(whole) : std::nullopt;
}

// Of a map the rest is written again as it was seen, so it must still be so.
void Draft::set(const Path& path, ValueView value) {
  const std::string encoded(value.encoded());
  if (path.size() == 1) {
    put(path.front(), encoded);
    return;
  }
  looked_at_.insert(path.front());
  const auto before = attribute(path.front());
  put(path.front(), with(before ? std::optional(ValueView(before->data())) : std::nullopt,
                         Names(path).subspan(1), encoded));
}

void Draft::set_text(const Path& path, std::string_view text) {
  const std::string encoded = encoded_text(text);
  set(path, ValueView(encoded.data()));
}

void Draft::set_number(const Path& path, const item::Decimal& number) {
  std::string normal;
  number.append_text(normal);
  std::string encoded;
  item::append_scalar(encoded, Type::number, normal);
  set(path, ValueView(encoded.data()));
}

void Draft::set_integer(const Path& path, int64_t number) {
  set_number(path, item::Decimal::from_normal(std::to_string(number)));
}

void Draft::remove(const Path& path) {
  const auto before = attribute(path.front());
  if (!before) {
    return;
  }
  if (path.size() == 1) {
    put(path.front(), std::nullopt);
    return;
  }
  const ValueView map(before->data());
  if (find_in(map, Names(path).subspan(1))) {
    looked_at_.insert(path.front());
    put(path.front(), with(map, Names(path).subspan(1), std::nullopt));
  }
}

void Draft::merge(const Patch& patch) {
  merge_into({}, patch.set.view());
  for (const auto& path : patch.removed) {
    remove(path);
  }
}

void Draft::merge_into(const Path& at, ItemView members) {
  item::AttributeCursor cursor(members);
  while (cursor.next()) {
    Path path = at;
    path.emplace_back(cursor.name());
    if (cursor.value().type() != Type::map) {
      set(path, cursor.value());
      continue;
    }
    const auto there = attribute(path.front());
    const auto before = there ? find_in(ValueView(there->data()), Names(path).subspan(1)) : std::nullopt;
    if (!before || before->type() != Type::map) {
      set(path, cursor.value());
    } else {
      merge_into(path, cursor.value().members());
    }
  }
}

void Draft::depend_on_all() {
  item::AttributeCursor cursor(seen_.view());
  while (cursor.next()) {
    looked_at_.emplace(cursor.name());
  }
}

expression::Update Draft::update() const {
  Terms terms;
  Problems problems;
  UpdateTree tree(terms, problems);
  for (const auto& [name, encoded] : changes_) {
    const PathId target = named(terms, name);
    if (encoded) {
      tree.set(target, tree.literal(terms.add_literal(ValueView(encoded->data()))));
    } else {
      tree.remove(target);
    }
  }
  tree.close_targets();
  return tree.finish();
}

expression::Condition Draft::condition(std::string_view key_attribute) const {
  Terms terms;
  Problems problems;
  ConditionTree tree(terms, problems);
  const std::size_t all = tree.open(ConditionTree::Operator::all);
  const auto add_function = [&](std::string_view function, const std::string& name) {
    ConditionTree::Pieces operands;
    operands.push_back(tree.path(named(terms, name)));
    tree.add_function(function, operands);
  };
  add_function("attribute_exists", std::string(key_attribute));
  for (const auto& name : looked_at_) {
    const auto value = seen_.view().find(name);
    if (!value) {
      add_function("attribute_not_exists", name);
      continue;
    }
    ConditionTree::Pieces operands;
    operands.push_back(tree.path(named(terms, name)));
    operands.push_back(tree.literal(terms.add_literal(*value)));
    tree.add_comparison(ConditionTree::Operator::equal, "=", operands);
  }
  tree.close(all);
  return tree.finish();
}

item::Item Draft::result() const {
  item::Item made;
  item::AttributeCursor cursor(seen_.view());
  while (cursor.next()) {
    if (!changes_.contains(std::string(cursor.name()))) {
      made.encoded += cursor.encoded();
    }
  }
  for (const auto& [name, encoded] : changes_) {
    if (encoded) {
      item::append_name(made.encoded, name);
      made.encoded += *encoded;
    }
  }
  return made;
}

expression::Condition absence_of(std::string_view key_attribute) {
  Terms terms;
  Problems problems;
  ConditionTree tree(terms, problems);
  ConditionTree::Pieces operands;
  operands.push_back(tree.path(named(terms, std::string(key_attribute))));
  tree.add_function("attribute_not_exists", operands);
  return tree.finish();
}

}  // namespace waybill::job
