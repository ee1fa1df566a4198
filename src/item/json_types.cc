#include "item/json_types.h"

#include <algorithm>

#include "base/bytes.h"

namespace waybill::item {

namespace {

constexpr std::string_view attribute_value_class = "class com.amazonaws.dynamodb.v20120810.AttributeValue";

Error malformed(std::string message) {
  return Error{ErrorKind::malformed, std::move(message), {}};
}

// What the service calls a JSON value that stands where a string belongs.
Error not_a_string(const json::Value& value) {
  switch (value.type()) {
    case json::Type::boolean:
      return malformed(value.boolean() ? "TRUE_VALUE cannot be converted to String"
                                       : "FALSE_VALUE cannot be converted to String");
    case json::Type::number:
      return malformed(value.integer() ? "NUMBER_VALUE cannot be converted to String"
                                       : "DECIMAL_VALUE cannot be converted to String");
    case json::Type::array:
      return malformed("Unrecognized collection type class java.lang.String");
    case json::Type::object:
      return malformed("Start of structure or map found where not expected");
    case json::Type::null:
    case json::Type::string:
      break;
  }
  return malformed("Unexpected token received from parser");
}

bool is_base64_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' || c == '/';
}

// Why `text` is no Base64; the service's own spelling.
Error not_base64(std::string_view text) {
  if (text.size() % 4 != 0) {
    return malformed("Base64 encoded length is expected a multiple of 4 bytes but found: " +
                     std::to_string(text.size()));
  }
  const std::size_t end =
      text.ends_with("==") ? text.size() - 2 : text.size() - (text.ends_with("=") ? 1 : 0);
  const auto bad =
      std::find_if_not(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), is_base64_character);
  if (bad != text.begin() + static_cast<std::ptrdiff_t>(end)) {
    return malformed(std::string("Invalid Base64 character: '").append(1, *bad).append("'"));
  }
  return malformed("Invalid last non-pad Base64 character dectected");
}

Status check_elements(const json::Value& array, Status (*check)(const json::Value&)) {
  WAYBILL_TRY(check_array(array));
  for (json::Elements elements(array); elements.next();) {
    WAYBILL_TRY(check(elements.value()));
  }
  return {};
}

Status check_string(const json::Value& value) {
  return value.is_string() ? Status() : Status(not_a_string(value));
}

Status check_binary(const json::Value& value) {
  WAYBILL_TRY(binary_of(value));
  return {};
}

Status check_typed(Type type, const json::Value& value) {
  switch (type) {
    case Type::string:
    case Type::number:
      return check_string(value);
    case Type::binary:
      return check_binary(value);
    case Type::map:
      WAYBILL_TRY(check_map(value));
      return check_member_types(value);
    case Type::list:
      return check_elements(value, check_types);
    case Type::string_set:
    case Type::number_set:
      return check_elements(value, check_string);
    case Type::binary_set:
      return check_elements(value, check_binary);
    case Type::null:
    case Type::boolean:
      break;
  }
  return check_boolean(value);
}

}  // namespace

Status check_structure(const json::Value& value) {
  if (value.is_array()) {
    return malformed("Unrecognized collection type " + std::string(attribute_value_class));
  }
  if (!value.is_object() && !value.is_null()) {
    return malformed("Unexpected value type in payload");
  }
  return {};
}

Status check_map(const json::Value& value) {
  return value.is_object() ? Status() : Status(malformed("Unexpected field type"));
}

Status check_array(const json::Value& value) {
  return value.is_array() ? Status() : Status(malformed("Unexpected field type"));
}

Status check_boolean(const json::Value& value) {
  return value.type() == json::Type::boolean ? Status()
                                             : Status(malformed("Unexpected token received from parser"));
}

Result<std::string_view> string_of(const json::Value& value) {
  if (!value.is_string()) {
    return not_a_string(value);
  }
  return value.string();
}

Result<std::string> binary_of(const json::Value& value) {
  WAYBILL_TRY_ASSIGN(const std::string_view text, string_of(value));
  auto bytes = decode_base64(text);
  if (!bytes) {
    return not_base64(text);
  }
  return *std::move(bytes);
}

// Nesting is bounded by the parser of the document.
Status check_types(const json::Value& value) {
  WAYBILL_TRY(check_structure(value));
  if (value.is_null()) {
    return {};
  }
  for (json::Members members(value); members.next();) {
    if (const auto type = type_named(members.key())) {
      WAYBILL_TRY(check_typed(*type, members.value()));
    }
  }
  return {};
}

Status check_member_types(const json::Value& object) {
  for (json::Members members(object); members.next();) {
    WAYBILL_TRY(check_types(members.value()));
  }
  return {};
}

}  // namespace waybill::item
