#pragma once

#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"

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

// Whether `name` is one of S, N, B, M, L, BOOL, NULL, SS, NS, BS.
bool is_type(std::string_view name);

}  // namespace waybill::item
