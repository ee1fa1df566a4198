#include "item/json.h"

#include <algorithm>
#include <vector>

#include "item/json_types.h"
#include "item/number.h"

namespace waybill::item {

namespace {

Status append_text(std::string& out, const json::Value& value) {
  WAYBILL_TRY_ASSIGN(const std::string_view text, string_of(value));
  append_scalar(out, Type::string, text);
  return {};
}

Result<std::string> normal_number(const json::Value& value) {
  WAYBILL_TRY_ASSIGN(const std::string_view text, string_of(value));
  WAYBILL_TRY_ASSIGN(const Decimal number, Decimal::parse(text));
  std::string normal;
  number.append_text(normal);
  return normal;
}

Status append_number(std::string& out, const json::Value& value) {
  WAYBILL_TRY_ASSIGN(const std::string normal, normal_number(value));
  append_scalar(out, Type::number, normal);
  return {};
}

Status append_binary(std::string& out, const json::Value& value) {
  WAYBILL_TRY_ASSIGN(const std::string bytes, binary_of(value));
  append_scalar(out, Type::binary, bytes);
  return {};
}

Error invalid_value(std::string_view text) {
  return invalid(
      std::string("1 validation error detected: One or more parameter values were invalid: ").append(text));
}

bool has_duplicates(std::vector<std::string_view> members) {
  std::sort(members.begin(), members.end());
  return std::adjacent_find(members.begin(), members.end()) != members.end();
}

// "[a, b]": how the service prints a set in its message.
std::string listed(const json::Value& array) {
  std::string text = "[";
  for (json::Elements elements(array); elements.next();) {
    if (text.size() > 1) {
      text.append(", ");
    }
    text.append(elements.value().string());
  }
  return text.append("]");
}

struct SetRules {
  Type type;
  std::string_view empty_text;
};

Error duplicates_in(Type type, const json::Value& array) {
  if (type == Type::number_set) {
    return invalid("1 validation error detected: Input collection contains duplicates");
  }
  return invalid_value(
      "Input collection " + listed(array) +
      (type == Type::binary_set ? "of type BS contains duplicates." : " contains duplicates."));
}

// The bytes that one member of a set is kept as, one after the other in `members`.
Status append_member(std::string& members, Type type, const json::Value& value) {
  if (type == Type::number_set) {
    WAYBILL_TRY_ASSIGN(const std::string text, normal_number(value));
    append_set_member(members, text);
  } else if (type == Type::binary_set) {
    WAYBILL_TRY_ASSIGN(const std::string bytes, binary_of(value));
    append_set_member(members, bytes);
  } else {
    WAYBILL_TRY_ASSIGN(const std::string_view text, string_of(value));
    append_set_member(members, text);
  }
  return {};
}

Status append_set(std::string& out, const SetRules& rules, const json::Value& array) {
  WAYBILL_TRY(check_array(array));
  if (array.size() == 0) {
    return invalid_value(rules.empty_text);
  }
  std::string members;
  for (json::Elements elements(array); elements.next();) {
    WAYBILL_TRY(append_member(members, rules.type, elements.value()));
  }
  std::vector<std::string_view> views;
  for (BytesCursor cursor(members); cursor.next();) {
    views.push_back(cursor.bytes());
  }
  if (has_duplicates(views)) {
    return duplicates_in(rules.type, array);
  }
  item::append_set(out, rules.type, std::move(views));
  return {};
}

Status append_any(std::string& out, const json::Value& value, int levels_left);

Status append_list(std::string& out, const json::Value& array, int levels_left) {
  WAYBILL_TRY(check_array(array));
  const std::size_t mark = open_container(out, Type::list);
  for (json::Elements elements(array); elements.next();) {
    WAYBILL_TRY(append_any(out, elements.value(), levels_left - 1));
  }
  close_container(out, mark);
  return {};
}

// Names that come twice: the earlier member is dropped. Few maps have any, so look first.
bool has_later_namesake(const std::vector<std::string_view>& names, std::size_t at) {
  return std::find(names.begin() + static_cast<std::ptrdiff_t>(at) + 1, names.end(), names[at]) !=
         names.end();
}

Status append_members(std::string& out, const json::Value& object, int levels_left) {
  std::vector<std::string_view> names;
  names.reserve(object.size());
  for (json::Members members(object); members.next();) {
    names.push_back(members.key());
  }
  const bool duplicates = names.size() > 1 && has_duplicates(names);
  std::size_t at = 0;
  for (json::Members members(object); members.next(); ++at) {
    if (duplicates && has_later_namesake(names, at)) {
      continue;
    }
    append_name(out, members.key());
    WAYBILL_TRY(append_any(out, members.value(), levels_left - 1));
  }
  return {};
}

Status append_map(std::string& out, const json::Value& object, int levels_left) {
  WAYBILL_TRY(check_map(object));
  const std::size_t mark = open_container(out, Type::map);
  WAYBILL_TRY(append_members(out, object, levels_left));
  close_container(out, mark);
  return {};
}

Status append_truth(std::string& out, std::string_view type, const json::Value& value) {
  WAYBILL_TRY(check_boolean(value));
  if (type == "BOOL") {
    append_boolean(out, value.boolean());
    return {};
  }
  if (!value.boolean()) {
    return invalid_value("Null attribute value types must have the value of true");
  }
  append_null(out);
  return {};
}

Status append_typed(std::string& out, std::string_view type, const json::Value& value, int levels_left) {
  if (type == "S") {
    return append_text(out, value);
  }
  if (type == "N") {
    return append_number(out, value);
  }
  if (type == "B") {
    return append_binary(out, value);
  }
  if (type == "M") {
    return append_map(out, value, levels_left);
  }
  if (type == "L") {
    return append_list(out, value, levels_left);
  }
  if (type == "SS") {
    return append_set(out, {Type::string_set, "An string set  may not be empty"}, value);
  }
  if (type == "NS") {
    return append_set(out, {Type::number_set, "An number set  may not be empty"}, value);
  }
  if (type == "BS") {
    return append_set(out, {Type::binary_set, "Binary sets should not be empty"}, value);
  }
  return append_truth(out, type, value);
}

Status append_any(std::string& out, const json::Value& value, int levels_left) {
  if (levels_left < 0) {
    return nested_too_deep();
  }
  WAYBILL_TRY(check_structure(value));
  std::optional<json::Value> typed;
  std::string_view type;
  bool several = false;
  if (value.is_object()) {
    for (json::Members members(value); members.next();) {
      if (!is_type(members.key())) {
        continue;
      }
      several = several || typed.has_value();
      type = members.key();
      typed = members.value();
    }
  }
  if (!typed) {
    return invalid("Supplied AttributeValue is empty, must contain exactly one of the supported datatypes");
  }
  if (several) {
    return invalid(
        "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported "
        "datatypes");
  }
  return append_typed(out, type, *typed, levels_left);
}

}  // namespace

Status append_value(std::string& out, const json::Value& value) {
  return append_any(out, value, nesting_levels_max - 1);
}

Result<Item> parse_item(const json::Value& object) {
  WAYBILL_TRY(check_map(object));
  Item item;
  if (auto read = append_members(item.encoded, object, nesting_levels_max); !read) {
    WAYBILL_TRY(check_member_types(object));
    return std::move(read).error();
  }
  return item;
}

}  // namespace waybill::item
