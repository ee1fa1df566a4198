#pragma once

#include <array>
#include <string_view>

// Classes of characters in HTTP and in URIs.
namespace waybill::http {

using CharacterSet = std::array<bool, 256>;

constexpr CharacterSet alphanumeric_and(std::string_view others) {
  CharacterSet set{};
  for (int c = 0; c < 256; ++c) {
    set[static_cast<std::size_t>(c)] =
        (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  }
  for (const char c : others) {
    set[static_cast<unsigned char>(c)] = true;
  }
  return set;
}

inline constexpr CharacterSet token_characters = alphanumeric_and("!#$%&'*+-.^_`|~");
inline constexpr CharacterSet host_characters = alphanumeric_and("-._~!$&'()*+,;=:%[]");
inline constexpr CharacterSet unreserved_characters = alphanumeric_and("-._~");

constexpr bool contains(const CharacterSet& set, char c) {
  return set[static_cast<unsigned char>(c)];
}

// True where `text` is not empty and has characters of `set` only.
constexpr bool consists_of(std::string_view text, const CharacterSet& set) {
  for (const char c : text) {
    if (!contains(set, c)) {
      return false;
    }
  }
  return !text.empty();
}

// The value of a hexadecimal digit of either case, or -1.
constexpr int hex_value(char c) {
  if (c >= '0' && c <= '9') {
    return c - '0';
  }
  if (c >= 'a' && c <= 'f') {
    return c - 'a' + 10;
  }
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

}  // namespace waybill::http
