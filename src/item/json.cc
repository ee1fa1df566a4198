#include "item/json.h"

#include <algorithm>
#include <vector>

#include "item/encoder.h"
#include "item/json_types.h"
#include "item/member_names.h"
#include "item/number.h"

namespace waybill::item {

namespace {

// What the thread's last item was written in, for the next one.
Encoder& encoder_of_thread() {
  thread_local Encoder encoder;
  return encoder;
}

Status put_text(Encoder& out, const json::Value& value) {
  if (!value.is_string()) [[unlikely]] {
    return string_of(value).error();
  }
  out.put_scalar(Type::string, value.string());
  return {};
}

// Puts a number's normal form as `put` takes it.
template <typename Put>
Status put_normal(const json::Value& value, Put put) {
  if (!value.is_string()) [[unlikely]] {
    return string_of(value).error();
  }
  const std::string_view text = value.string();
  if (is_surely_normal(text)) {
    put(text);
    return {};
  }
  WAYBILL_TRY_ASSIGN(const Decimal number, Decimal::parse(text));
  std::string normal;
  number.append_text(normal);
  put(std::string_view(normal));
  return {};
}

Status put_number(Encoder& out, const json::Value& value) {
  return put_normal(value, [&](std::string_view text) { out.put_scalar(Type::number, text); });
}

Status put_binary(Encoder& out, const json::Value& value) {
  WAYBILL_TRY_ASSIGN(const std::string bytes, binary_of(value));
  out.put_scalar(Type::binary, bytes);
  return {};
}

Error invalid_value(std::string_view text) {
  return invalid(
      std::string("1 validation error detected: One or more parameter values were invalid: ").append(text));
}

Error no_type() {
  return invalid("Supplied AttributeValue is empty, must contain exactly one of the supported datatypes");
}

Error several_types() {
  return invalid(
      "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported "
      "datatypes");
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

std::string_view empty_set_text(Type type) {
  return type == Type::string_set   ? "An string set  may not be empty"
         : type == Type::number_set ? "An number set  may not be empty"
                                    : "Binary sets should not be empty";
}

Error duplicates_in(Type type, const json::Value& array) {
  if (type == Type::number_set) {
    return invalid("1 validation error detected: Input collection contains duplicates");
  }
  return invalid_value(
      "Input collection " + listed(array) +
      (type == Type::binary_set ? "of type BS contains duplicates." : " contains duplicates."));
}

Status put_member(Encoder& out, Type type, const json::Value& value) {
  if (type == Type::number_set) {
    return put_normal(value, [&](std::string_view text) { out.put_sized(text); });
  }
  if (type == Type::binary_set) {
    WAYBILL_TRY_ASSIGN(const std::string bytes, binary_of(value));
    out.put_sized(bytes);
    return {};
  }
  WAYBILL_TRY_ASSIGN(const std::string_view text, string_of(value));
  out.put_sized(text);
  return {};
}

// Whether the members stand in the order in which a set is kept, each once.
bool are_in_order(Type type, std::string_view members) {
  BytesCursor cursor(members);
  cursor.next();
  for (std::string_view before = cursor.bytes(); cursor.next(); before = cursor.bytes()) {
    if (!member_less(type, before, cursor.bytes())) {
      return false;
    }
  }
  return true;
}

// Brings the members from `mark` on into order; false where two are equal.
bool put_in_order(Encoder& out, Type type, std::size_t mark) {
  const std::string members(out.bytes().substr(mark));
  std::vector<std::string_view> views;
  for (BytesCursor cursor(members); cursor.next();) {
    views.push_back(cursor.bytes());
  }
  sort_members(type, views);
  if (std::adjacent_find(views.begin(), views.end()) != views.end()) {
    return false;
  }
  out.cut(mark);
  for (const auto view : views) {
    out.put_sized(view);
  }
  return true;
}

Status put_set(Encoder& out, Type type, const json::Value& array) {
  WAYBILL_TRY(check_array(array));
  if (array.size() == 0) {
    return invalid_value(empty_set_text(type));
  }
  const std::size_t mark = out.open_container(type);
  for (json::Elements elements(array); elements.next();) {
    WAYBILL_TRY(put_member(out, type, elements.value()));
  }
  if (!are_in_order(type, out.bytes().substr(mark)) && !put_in_order(out, type, mark)) {
    return duplicates_in(type, array);
  }
  out.close_container(mark);
  return {};
}

Status put_any(Encoder& out, const json::Value& value, int levels_left);

Status put_list(Encoder& out, const json::Value& array, int levels_left) {
  WAYBILL_TRY(check_array(array));
  const std::size_t mark = out.open_container(Type::list);
  for (json::Elements elements(array); elements.next();) {
    WAYBILL_TRY(put_any(out, elements.value(), levels_left - 1));
  }
  out.close_container(mark);
  return {};
}

// Of members with one name the last is put. Few maps have any, so look first.
Status put_last_members(Encoder& out, const json::Value& object, int levels_left) {
  const auto superseded = superseded_members(object);
  std::size_t at = 0;
  for (json::Members members(object); members.next(); ++at) {
    if (superseded[at]) {
      continue;
    }
    out.put_sized(members.key());
    WAYBILL_TRY(put_any(out, members.value(), levels_left - 1));
  }
  return {};
}

Status put_members(Encoder& out, const json::Value& object, int levels_left) {
  if (has_namesakes(object)) [[unlikely]] {
    return put_last_members(out, object, levels_left);
  }
  for (json::Members members(object); members.next();) {
    out.put_sized(members.key());
    WAYBILL_TRY(put_any(out, members.value(), levels_left - 1));
  }
  return {};
}

Status put_map(Encoder& out, const json::Value& object, int levels_left) {
  WAYBILL_TRY(check_map(object));
  const std::size_t mark = out.open_container(Type::map);
  WAYBILL_TRY(put_members(out, object, levels_left));
  out.close_container(mark);
  return {};
}

Status put_truth(Encoder& out, Type type, const json::Value& value) {
  WAYBILL_TRY(check_boolean(value));
  if (type == Type::boolean) {
    out.put_boolean(value.boolean());
    return {};
  }
  if (!value.boolean()) {
    return invalid_value("Null attribute value types must have the value of true");
  }
  out.put_null();
  return {};
}

Status put_typed(Encoder& out, Type type, const json::Value& value, int levels_left) {
  switch (type) {
    case Type::string:
      return put_text(out, value);
    case Type::number:
      return put_number(out, value);
    case Type::binary:
      return put_binary(out, value);
    case Type::map:
      return put_map(out, value, levels_left);
    case Type::list:
      return put_list(out, value, levels_left);
    case Type::string_set:
    case Type::number_set:
    case Type::binary_set:
      return put_set(out, type, value);
    case Type::null:
    case Type::boolean:
      break;
  }
  return put_truth(out, type, value);
}

// Of an object with several members, one of which has to be the value.
Status put_only_typed(Encoder& out, const json::Value& object, int levels_left) {
  std::optional<Type> type;
  json::Value typed;
  for (json::Members members(object); members.next();) {
    const auto named = type_named(members.key());
    if (!named) {
      continue;
    }
    if (type) {
      return several_types();
    }
    type = named;
    typed = members.value();
  }
  return type ? put_typed(out, *type, typed, levels_left) : Status(no_type());
}

Status put_any(Encoder& out, const json::Value& value, int levels_left) {
  if (levels_left < 0) {
    return nested_too_deep();
  }
  if (!value.is_object()) [[unlikely]] {
    WAYBILL_TRY(check_structure(value));
    return no_type();
  }
  if (value.size() > 1) [[unlikely]] {
    return put_only_typed(out, value, levels_left);
  }
  json::Members members(value);
  if (members.next()) {
    if (const auto type = type_named(members.key())) {
      return put_typed(out, *type, members.value(), levels_left);
    }
  }
  return no_type();
}

}  // namespace

Status append_value(std::string& out, const json::Value& value) {
  Encoder& encoder = encoder_of_thread();
  encoder.clear();
  WAYBILL_TRY(put_any(encoder, value, nesting_levels_max - 1));
  out.append(encoder.bytes());
  return {};
}

Result<Item> parse_item(const json::Value& object) {
  WAYBILL_TRY(check_map(object));
  Encoder& encoder = encoder_of_thread();
  encoder.clear();
  if (auto read = put_members(encoder, object, nesting_levels_max); !read) {
    WAYBILL_TRY(check_member_types(object));
    return std::move(read).error();
  }
  return Item{std::string(encoder.bytes())};
}

}  // namespace waybill::item
