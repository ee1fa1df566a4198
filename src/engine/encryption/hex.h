#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace waybill::engine::encryption {

// Lower case, two digits a byte.
std::string to_hex(const unsigned char* bytes, std::size_t count);

// Reads exactly `count` bytes; false where `text` is anything else. Upper and lower case.
bool from_hex(std::string_view text, unsigned char* bytes, std::size_t count);

}  // namespace waybill::engine::encryption
