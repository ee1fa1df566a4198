#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace waybill::object {

// "Sun, 06 Nov 1994 08:49:37 GMT", of seconds since 1970. Years 1970 to 9999.
std::string http_date(int64_t seconds);

// Seconds since 1970 of a date in one of HTTP's three forms, the two old ones too:
//
//   Sun, 06 Nov 1994 08:49:37 GMT  |  Sunday, 06-Nov-94 08:49:37 GMT  |  Sun Nov  6 08:49:37 1994
//
// Nothing for anything else. The name of the day is not held against the date.
std::optional<int64_t> parse_http_date(std::string_view text);

}  // namespace waybill::object
