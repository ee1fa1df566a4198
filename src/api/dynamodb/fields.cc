#include "api/dynamodb/fields.h"

#include <algorithm>
#include <cmath>

namespace waybill::api::dynamodb {
namespace {

constexpr std::string_view start_of_structure = "Start of structure or map found where not expected";
constexpr std::string_view unexpected_field = "Unexpected field type";
constexpr std::string_view unexpected_value = "Unexpected value type in payload";
constexpr std::string_view service_package = "com.amazonaws.dynamodb.v20120810.";

std::string concat(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const auto part : parts) {
    text += part;
  }
  return text;
}

// What the service's parser calls a scalar.
std::string_view token_name(const json::Value& value) {
  switch (value.type()) {
    case json::Type::boolean:
      return value.boolean() ? "TRUE_VALUE" : "FALSE_VALUE";
    case json::Type::string:
      return "STRING_VALUE";
    case json::Type::number:
      return value.integer() ? "NUMBER_VALUE" : "DECIMAL_VALUE";
    default:
      return "NULL_VALUE";
  }
}

void fail_scalar(const json::Value& value, std::string_view wanted, Reading& reading) {
  if (value.is_object()) {
    reading.fail(std::string(start_of_structure));
  } else if (value.is_array()) {
    reading.fail(concat({"Unrecognized collection type class java.lang.", wanted}));
  } else {
    reading.fail(concat({token_name(value), " cannot be converted to ", wanted}));
  }
}

std::string qualified(std::string_view type) {
  return type.starts_with("java.") ? std::string(type) : concat({service_package, type});
}

// `scalar_text`: the service words a scalar as a field unlike one as an element.
std::optional<Fields> structure_of(const json::Value& value, std::string_view type,
                                   std::string_view scalar_text, Reading& reading) {
  if (value.is_object()) {
    return Fields(value, reading);
  }
  if (value.is_array()) {
    reading.fail(concat({"Unrecognized collection type class ", qualified(type)}));
  } else {
    reading.fail(std::string(scalar_text));
  }
  return std::nullopt;
}

std::string camel_case(std::string_view name) {
  std::string path(name);
  if (!path.empty() && path[0] >= 'A' && path[0] <= 'Z') {
    path[0] = static_cast<char>(path[0] - 'A' + 'a');
  }
  return path;
}

// One of 64 bits; two names may share one.
uint64_t name_mark(std::string_view name) {
  if (name.empty()) {
    return 1;
  }
  const auto first = static_cast<unsigned char>(name.front());
  const auto last = static_cast<unsigned char>(name.back());
  return uint64_t{1} << ((name.size() * 5 + first * 3U + last) % 64);
}

}  // namespace

void Reading::fail(Error error) {
  if (!error_) {
    error_ = std::move(error);
  }
}

void Reading::fail(std::string message) {
  fail(Error{ErrorKind::malformed, std::move(message), {}});
}

Status Reading::status() const {
  return error_ ? Status(*error_) : Status();
}

Fields::Fields(const json::Value& object, Reading& reading) : object_(object), reading_(&reading) {
  if (object.is_object()) {
    for (json::Members members(object); members.next();) {
      name_marks_ |= name_mark(members.key());
    }
  }
}

std::optional<json::Value> Fields::present(std::string_view name) const {
  if ((name_marks_ & name_mark(name)) == 0) {
    return std::nullopt;
  }
  auto value = object_.find(name);
  if (value && value->is_null()) {
    return std::nullopt;
  }
  return value;
}

std::optional<std::string_view> Fields::string(std::string_view name) const {
  const auto value = present(name);
  return value ? read_string(*value, *reading_) : std::nullopt;
}

std::optional<bool> Fields::boolean(std::string_view name) const {
  const auto value = present(name);
  if (!value) {
    return std::nullopt;
  }
  if (value->type() == json::Type::boolean) {
    return value->boolean();
  }
  if (value->is_string()) {
    reading_->fail("Unexpected token received from parser");
  } else {
    fail_scalar(*value, "Boolean", *reading_);
  }
  return std::nullopt;
}

std::optional<int64_t> Fields::whole_number(std::string_view name, std::string_view type) const {
  const auto value = present(name);
  if (!value) {
    return std::nullopt;
  }
  if (value->type() != json::Type::number) {
    fail_scalar(*value, type, *reading_);
    return std::nullopt;
  }
  if (const auto exact = value->integer()) {
    return exact;
  }
  // The service drops a fraction, and takes what is out of range for the nearest that is in it.
  constexpr double bound = 9.2e18;
  return static_cast<int64_t>(std::trunc(std::clamp(value->number(), -bound, bound)));
}

std::optional<int64_t> Fields::time_ms(std::string_view name) const {
  const auto value = present(name);
  if (!value) {
    return std::nullopt;
  }
  if (value->type() != json::Type::number) {
    fail_scalar(*value, "Date", *reading_);
    return std::nullopt;
  }
  constexpr double bound = 9.2e15;
  return static_cast<int64_t>(std::llround(std::clamp(value->number(), -bound, bound) * 1000));
}

std::optional<int64_t> Fields::integer(std::string_view name) const {
  return whole_number(name, "Integer");
}

std::optional<int64_t> Fields::long_integer(std::string_view name) const {
  return whole_number(name, "Long");
}

std::optional<Fields> Fields::structure(std::string_view name, std::string_view type) const {
  const auto value = present(name);
  return value ? structure_of(*value, type, unexpected_field, *reading_) : std::nullopt;
}

std::optional<json::Value> Fields::map(std::string_view name, std::string_view value_type) const {
  auto value = present(name);
  if (!value || value->is_object()) {
    return value;
  }
  if (value->is_array()) {
    reading_->fail(concat(
        {"Unrecognized collection type java.util.Map<java.lang.String, ", qualified(value_type), ">"}));
  } else {
    reading_->fail(std::string(unexpected_field));
  }
  return std::nullopt;
}

std::optional<json::Value> Fields::list(std::string_view name) const {
  auto value = present(name);
  if (!value || value->is_array()) {
    return value;
  }
  reading_->fail(std::string(value->is_object() ? start_of_structure : unexpected_field));
  return std::nullopt;
}

std::optional<std::vector<Fields>> Fields::structures(std::string_view name, std::string_view type) const {
  const auto array = list(name);
  if (!array) {
    return std::nullopt;
  }
  std::vector<Fields> result;
  result.reserve(array->size());
  for (json::Elements elements(*array); elements.next();) {
    if (elements.value().is_null()) {
      continue;
    }
    if (auto fields = read_structure(elements.value(), type, *reading_)) {
      result.push_back(*fields);
    }
  }
  return result;
}

std::optional<std::vector<std::string_view>> Fields::strings(std::string_view name) const {
  const auto array = list(name);
  if (!array) {
    return std::nullopt;
  }
  std::vector<std::string_view> result;
  result.reserve(array->size());
  for (json::Elements elements(*array); elements.next();) {
    if (elements.value().is_null()) {
      Constraints constraints;
      constraints.not_null(camel_case(name) + "." + std::to_string(result.size() + 1) + ".member", false);
      reading_->fail(std::move(constraints.status()).error());
      continue;
    }
    if (const auto text = read_string(elements.value(), *reading_)) {
      result.push_back(*text);
    }
  }
  return result;
}

std::optional<json::Value> Fields::string_map(std::string_view name) const {
  const auto object = map(name, "java.lang.String");
  if (!object) {
    return std::nullopt;
  }
  for (json::Members members(*object); members.next();) {
    if (members.value().is_null()) {
      Constraints constraints;
      constraints.not_null(camel_case(name) + "." + std::string(members.key()) + ".member", false);
      reading_->fail(std::move(constraints.status()).error());
      continue;
    }
    read_string(members.value(), *reading_);
  }
  return object;
}

std::optional<std::string_view> read_string(const json::Value& value, Reading& reading) {
  if (value.is_string()) {
    return value.string();
  }
  fail_scalar(value, "String", reading);
  return std::nullopt;
}

std::optional<Fields> read_structure(const json::Value& value, std::string_view type, Reading& reading) {
  return structure_of(value, type, unexpected_value, reading);
}

}  // namespace waybill::api::dynamodb
