#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "expression/small_vector.h"
#include "item/value.h"

namespace waybill::expression {

// Where the placeholders of one request come from.
struct PlaceholderSource {
  std::optional<json::Value> names;   // ExpressionAttributeNames
  std::optional<json::Value> values;  // ExpressionAttributeValues

  // Whether the request has any expression that may use names, or values. Placeholders without one are
  // an error, and the service says of values which expressions it looked for:
  // "FilterExpression is null and KeyConditionExpression is null".
  bool names_allowed = true;
  bool values_allowed = true;
  std::string_view values_refused_because = {};
};

// ExpressionAttributeNames and ExpressionAttributeValues of one request, and which of them were used.
// Parse it once, hand it to every expression of the request in turn, then call check_all_used().
//
// Thread safety: none. Names are views into the request's JSON document and live as long as it does;
// expressions parsed with the placeholders keep copies of what they need.
class Placeholders {
 public:
  Placeholders() = default;

  // Placeholders without an expression that may use them, and empty maps: kind invalid.
  static Status check_allowed(const PlaceholderSource& source);

  // Errors of kind invalid: placeholders without an expression, an empty map, a key that is not '#' or
  // ':' followed by letters, digits and '_', an invalid value. Errors of kind malformed: wrong JSON types.
  static Result<Placeholders> parse(const PlaceholderSource& source);

  // What `key` ("#n", ":v", with its mark) stands for, marking it as used; nullopt where it is undefined.
  std::optional<std::string_view> use_name(std::string_view key);
  std::optional<item::ValueView> use_value(std::string_view key);

  // "Value provided in ExpressionAttributeNames unused in expressions: keys: {#x}"; names come first.
  Status check_all_used() const;

 private:
  struct Name {
    std::string_view key;
    std::string_view name;
    uint32_t order;  // of appearance
    bool used;
  };
  struct Literal {
    std::string_view key;
    uint32_t at;  // in literals_
    uint32_t order;
    bool used;
  };

  Status read_names(const json::Value& names);
  Status read_values(const json::Value& values);

  // Both sorted by key.
  SmallVector<Name, 4> names_;
  SmallVector<Literal, 4> values_;
  std::string literals_;
};

}  // namespace waybill::expression
