#include "rules/shape.h"

#include <algorithm>
#include <utility>

#include "base/iso_time.h"

namespace waybill::rules {

namespace {

using contract::FieldType;
using item::Type;
using item::ValueView;

std::string_view words_for(Type type) {
  switch (type) {
    case Type::null:
      return "null";
    case Type::boolean:
      return "a bool";
    case Type::string:
      return "a string";
    case Type::number:
      return "a number";
    case Type::binary:
      return "binary";
    case Type::string_set:
    case Type::number_set:
    case Type::binary_set:
      return "a set";
    case Type::list:
      return "a list";
    case Type::map:
      return "a map";
  }
  return "";
}

std::string_view words_for(FieldType type) {
  switch (type) {
    case FieldType::string:
      return "a string";
    case FieldType::integer:
      return "a whole number";
    case FieldType::number:
      return "a number";
    case FieldType::boolean:
      return "a bool";
    case FieldType::binary:
      return "binary";
    case FieldType::timestamp:
      return "a time as \"2026-01-29T08:15:00Z\"";
    case FieldType::epoch_ms:
      return "a time in whole milliseconds since 1970";
    case FieldType::epoch_s:
      return "a time in whole seconds since 1970";
    case FieldType::map:
      return "a map";
    case FieldType::list:
      return "a list";
    case FieldType::set:
      return "a set";
    case FieldType::any:
      break;
  }
  return "anything";
}

bool is_whole(std::string_view number) {
  return number.find('.') == std::string_view::npos;
}

bool has_type(FieldType type, ValueView value) {
  switch (type) {
    case FieldType::string:
      return value.type() == Type::string;
    case FieldType::timestamp:
      return value.type() == Type::string && parse_iso_time(value.bytes()).has_value();
    case FieldType::number:
      return value.type() == Type::number;
    case FieldType::integer:
      return value.type() == Type::number && is_whole(value.bytes());
    case FieldType::epoch_ms:
    case FieldType::epoch_s:
      return value.type() == Type::number && is_whole(value.bytes()) && !value.bytes().starts_with('-');
    case FieldType::boolean:
      return value.type() == Type::boolean;
    case FieldType::binary:
      return value.type() == Type::binary;
    case FieldType::map:
      return value.type() == Type::map;
    case FieldType::list:
      return value.type() == Type::list;
    case FieldType::set:
      return item::is_set(value.type());
    case FieldType::any:
      return true;
  }
  return false;
}

std::string shown(ValueView value) {
  constexpr std::size_t longest = 60;
  if (value.type() != Type::string && value.type() != Type::number) {
    return std::string(words_for(value.type()));
  }
  std::string text(value.bytes().substr(0, longest));
  text += value.bytes().size() > longest ? "…" : "";
  return value.type() == Type::string ? "\"" + text + "\"" : text;
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) {
    text += text.empty() ? "" : ", ";
    text += word;
  }
  return text;
}

std::optional<Flaw> check_number(const FieldPlan& field, ValueView value, const std::string& path) {
  if (!field.minimum && !field.maximum) {
    return {};
  }
  const auto number = item::Decimal::from_normal(value.bytes());
  std::string limit;
  if (field.minimum && item::Decimal::compare(number, *field.minimum) < 0) {
    field.minimum->append_text(limit);
    return Flaw{"min", path, "is " + shown(value) + ", and must be at least " + limit};
  }
  if (field.maximum && item::Decimal::compare(number, *field.maximum) > 0) {
    field.maximum->append_text(limit);
    return Flaw{"max", path, "is " + shown(value) + ", and must be at most " + limit};
  }
  return {};
}

int64_t characters(std::string_view text) {
  return std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
}

std::optional<Flaw> check_string(const FieldPlan& field, ValueView value, const std::string& path) {
  if (!field.one_of.empty() && std::ranges::find(field.one_of, value.bytes()) == field.one_of.end()) {
    return Flaw{"one_of", path, "is " + shown(value) + ", and must be one of " + listed(field.one_of)};
  }
  if (field.length_max && characters(value.bytes()) > *field.length_max) {
    return Flaw{"max_length", path,
                "has " + std::to_string(characters(value.bytes())) + " characters, and may have " +
                    std::to_string(*field.length_max)};
  }
  return {};
}

std::optional<Flaw> check_map(const FieldPlan& field, ValueView value, const std::string& path) {
  const auto members = value.members();
  for (const auto& member : field.members) {
    const auto found = members.find(member.name);
    const std::string inner = path + "." + member.name;
    if (!found && member.required) {
      return Flaw{"required", inner, "is missing"};
    }
    if (found) {
      if (auto flaw = check_shape(member, *found, inner)) {
        return flaw;
      }
    }
  }
  return {};
}

std::optional<Flaw> check_list(const FieldPlan& field, ValueView value, const std::string& path) {
  auto elements = value.elements();
  for (std::size_t i = 0; elements.next(); ++i) {
    if (auto flaw =
            check_shape(field.element.front(), elements.value(), path + "[" + std::to_string(i) + "]")) {
      return flaw;
    }
  }
  return {};
}

std::optional<Flaw> check_set(const FieldPlan& field, ValueView value, const std::string& path) {
  const FieldType wanted = field.element.front().type;
  const Type kind = wanted == FieldType::string || wanted == FieldType::timestamp ? Type::string_set
                    : wanted == FieldType::binary                                 ? Type::binary_set
                                                                                  : Type::number_set;
  if (wanted != FieldType::any && value.type() != kind) {
    return Flaw{"type", path, "must be a set of " + std::string(words_for(wanted)).substr(2) + "s"};
  }
  return {};
}

bool complete_map(std::string& out, const FieldPlan& field, ValueView value) {
  bool changed = false;
  std::string members;
  item::AttributeCursor cursor(value.members());
  while (cursor.next()) {
    const auto known = std::ranges::find(field.members, cursor.name(), &FieldPlan::name);
    if (known == field.members.end()) {
      members.append(cursor.encoded());
      continue;
    }
    if (known->dropped) {
      changed = true;
      continue;
    }
    std::string made;
    if (known->completes && complete(made, *known, cursor.value())) {
      changed = true;
      item::append_name(members, cursor.name());
      members.append(made);
    } else {
      members.append(cursor.encoded());
    }
  }
  for (const auto& member : field.members) {
    if (!member.initial.empty() && !member.dropped && !value.members().find(member.name)) {
      changed = true;
      item::append_name(members, member.name);
      members.append(member.initial);
    }
  }
  if (changed) {
    const auto mark = item::open_container(out, Type::map);
    out.append(members);
    item::close_container(out, mark);
  }
  return changed;
}

bool complete_list(std::string& out, const FieldPlan& field, ValueView value) {
  bool changed = false;
  std::string elements;
  for (auto cursor = value.elements(); cursor.next();) {
    if (complete(elements, field.element.front(), cursor.value())) {
      changed = true;
    } else {
      elements.append(cursor.value().encoded());
    }
  }
  if (changed) {
    const auto mark = item::open_container(out, Type::list);
    out.append(elements);
    item::close_container(out, mark);
  }
  return changed;
}

}  // namespace

std::optional<Flaw> check_shape(const FieldPlan& field, ValueView value, const std::string& path) {
  if (field.type == FieldType::any) {
    return {};
  }
  if (!has_type(field.type, value)) {
    return Flaw{"type", path, "is " + shown(value) + ", and must be " + std::string(words_for(field.type))};
  }
  switch (field.type) {
    case FieldType::string:
      return check_string(field, value, path);
    case FieldType::integer:
    case FieldType::number:
    case FieldType::epoch_ms:
    case FieldType::epoch_s:
      return check_number(field, value, path);
    case FieldType::map:
      return check_map(field, value, path);
    case FieldType::list:
      return field.element.empty() ? std::nullopt : check_list(field, value, path);
    case FieldType::set:
      return field.element.empty() ? std::nullopt : check_set(field, value, path);
    default:
      return {};
  }
}

bool complete(std::string& out, const FieldPlan& field, ValueView value) {
  if (field.type == FieldType::map && value.type() == Type::map) {
    return complete_map(out, field, value);
  }
  if (field.type == FieldType::list && value.type() == Type::list && !field.element.empty()) {
    return complete_list(out, field, value);
  }
  return false;
}

}  // namespace waybill::rules
