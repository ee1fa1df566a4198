#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace waybill::http {

// "20150830T123600Z" as seconds since 1970; nullopt for anything else.
std::optional<int64_t> parse_amz_time(std::string_view text);

// "Sun, 06 Nov 1994 08:49:37 GMT" as seconds since 1970; nullopt for anything else.
std::optional<int64_t> parse_http_time(std::string_view text);

// The form of parse_amz_time().
std::string format_amz_time(int64_t wall_seconds);

}  // namespace waybill::http
