#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "item/value.h"

// The JSON types that an attribute value is made of. All errors are of kind malformed and carry the service's
// texts.
namespace waybill::item {

// Looks through all of an attribute value, {"L":[{"S":"text"}]}, at nothing but JSON types and Base64: what
// the service's parser tells before any value is looked at.
Status check_types(const json::Value& value);

// The same for every member of an attribute map.
Status check_member_types(const json::Value& object);

// The parts of one attribute value.
Status check_structure(const json::Value& value);  // an object, or null
Status check_map(const json::Value& value);
Status check_array(const json::Value& value);
Status check_boolean(const json::Value& value);
Result<std::string_view> string_of(const json::Value& value);
Result<std::string> binary_of(const json::Value& value);

// The type that `name` is the name of (see type_name); nullopt where it is none.
inline std::optional<Type> type_named(std::string_view name) {
  switch (name.size()) {
    case 1:
      switch (name[0]) {
        case 'S':
          return Type::string;
        case 'N':
          return Type::number;
        case 'B':
          return Type::binary;
        case 'M':
          return Type::map;
        case 'L':
          return Type::list;
        default:
          return std::nullopt;
      }
    case 2:
      if (name[1] != 'S') {
        return std::nullopt;
      }
      switch (name[0]) {
        case 'S':
          return Type::string_set;
        case 'N':
          return Type::number_set;
        case 'B':
          return Type::binary_set;
        default:
          return std::nullopt;
      }
    case 4:
      return name == "BOOL"   ? std::optional(Type::boolean)
             : name == "NULL" ? std::optional(Type::null)
                              : std::nullopt;
    default:
      return std::nullopt;
  }
}

}  // namespace waybill::item
