#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

// Where a list goes on, as clients see it: opaque, and good for the list alone that it came from.
//
//   cursor := base64url( check place )
//   check  := the first 12 bytes of SHA-256( binding 0 place )
//   place  := as the operation gives it
namespace waybill::api::jobs {

// `binding` names the list: all of the request but its cursor and its limit.
std::string print_cursor(std::string_view place, std::string_view binding);

// Error malformed where the text is no cursor, or one of another list. "" is the beginning.
Result<std::string> parse_cursor(std::string_view text, std::string_view binding);

}  // namespace waybill::api::jobs
