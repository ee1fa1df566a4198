#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"

// Members of objects that must be there and be of a kind; Error invalid, with the member's name, where they
// are not.
namespace waybill::media {

Result<json::Value> object_member(const json::Value& object, std::string_view name);
Result<std::string> text_member(const json::Value& object, std::string_view name);
Result<int64_t> integer_member(const json::Value& object, std::string_view name, int64_t min, int64_t max);
Result<bool> boolean_member(const json::Value& object, std::string_view name);

}  // namespace waybill::media
