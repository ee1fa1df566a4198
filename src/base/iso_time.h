#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace waybill {

// "2026-11-16T18:30:00.123Z", of milliseconds since 1970.
std::string iso_time(int64_t ms);

// Milliseconds since 1970 of a time in ISO 8601: date, "T", time with or without parts of a second, and "Z"
// or an offset. Nothing where it is none.
std::optional<int64_t> parse_iso_time(std::string_view text);

}  // namespace waybill
