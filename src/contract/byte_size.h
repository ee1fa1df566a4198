#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace waybill::contract {

// "512B", "64KB", "25MB", "5GB", "1TB", in bytes: a whole number and a unit, each a thousand times the one
// before; "KiB" and its like are 1024 times. Nothing for any other text, and for more than 5 TiB, which is
// the most that an object can have.
std::optional<int64_t> parse_byte_size(std::string_view text);

// The same in the largest unit that it is a whole number of.
std::string byte_size_text(int64_t bytes);

}  // namespace waybill::contract
