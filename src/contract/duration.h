#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace waybill::contract {

// "30s", "2m", "72h", "90d": a whole number and a unit, in seconds. Nothing for any other text, and for more
// than a hundred years.
std::optional<int64_t> parse_duration(std::string_view text);

// The same in the largest unit that it is a whole number of.
std::string duration_text(int64_t seconds);

}  // namespace waybill::contract
