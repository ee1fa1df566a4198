#pragma once

#include <cstddef>
#include <string_view>

namespace waybill::text {

// How many bytes at the end are the beginning of a character whose rest is to come: 0 to 3. What is wrong
// whatever comes may be counted among them.
std::size_t unfinished_bytes(std::string_view bytes);

struct Utf8Prefix {
  std::size_t bytes = 0;            // that are UTF-8 from the beginning on
  std::size_t long_characters = 0;  // those of them that have more than one byte
};

// How far the bytes are UTF-8: all of them, or up to the first character that is not.
Utf8Prefix utf8_prefix(std::string_view bytes);

}  // namespace waybill::text
