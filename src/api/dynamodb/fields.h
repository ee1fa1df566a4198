#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/dynamodb/constraints.h"
#include "base/json.h"
#include "base/result.h"

// Reading a request by the service's rules: first all JSON types, then all constraints, then the rest.
namespace waybill::api::dynamodb {

// Keeps the first wrong JSON type that is met while a request is read.
//
//   Reading reading;
//   Fields fields(body, reading);
//   const auto name = fields.string("TableName"); … all fields, in the order their errors are told …
//   WAYBILL_TRY(reading.status());
//   Constraints constraints; …
//   WAYBILL_TRY(constraints.status());
class Reading {
 public:
  void fail(Error error);
  void fail(std::string message);  // of kind malformed
  bool failed() const { return error_.has_value(); }
  Status status() const;  // kind malformed, with the service's text

 private:
  std::optional<Error> error_;
};

// One JSON object of a request: the body, or an object inside it.
//
// Every reader gives nullopt where the field is absent or null, and where its type is wrong (`reading` has
// the error then). Views and values live as long as the document.
class Fields {
 public:
  Fields(const json::Value& object, Reading& reading);

  std::optional<std::string_view> string(std::string_view name) const;
  std::optional<bool> boolean(std::string_view name) const;
  std::optional<int64_t> integer(std::string_view name) const;       // Integer in error texts
  std::optional<int64_t> long_integer(std::string_view name) const;  // Long in error texts
  std::optional<int64_t> time_ms(std::string_view name) const;       // seconds since 1970 with a fraction

  // An object of fixed fields. `type` is the service's name for it, "ProvisionedThroughput".
  std::optional<Fields> structure(std::string_view name, std::string_view type) const;

  // An object of any keys; `value_type` is "java.lang.String", or the service's name for a structure,
  // "AttributeValue". The values are not looked at.
  std::optional<json::Value> map(std::string_view name, std::string_view value_type) const;

  // An array; its elements are not looked at.
  std::optional<json::Value> list(std::string_view name) const;

  // An array of structures; null elements are left out.
  std::optional<std::vector<Fields>> structures(std::string_view name, std::string_view type) const;

  // An array of strings, and an object of strings. A null inside is an error.
  std::optional<std::vector<std::string_view>> strings(std::string_view name) const;
  std::optional<json::Value> string_map(std::string_view name) const;

  // The value as it is; nullopt where absent or null.
  std::optional<json::Value> any(std::string_view name) const { return present(name); }
  bool has(std::string_view name) const { return present(name).has_value(); }

  const json::Value& object() const { return object_; }
  Reading& reading() const { return *reading_; }

 private:
  std::optional<json::Value> present(std::string_view name) const;
  std::optional<int64_t> whole_number(std::string_view name, std::string_view type) const;

  json::Value object_;
  Reading* reading_;
  uint64_t name_marks_ = 0;  // one bit for each name that the object has: most fields are absent
};

// The same checks for a value that was found in another way. They report to `reading`.
std::optional<std::string_view> read_string(const json::Value& value, Reading& reading);
std::optional<Fields> read_structure(const json::Value& value, std::string_view type, Reading& reading);

}  // namespace waybill::api::dynamodb
