#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace waybill::text {

inline constexpr std::size_t short_word_bytes_max = 16;

// Up to 16 bytes of a word, with zeros behind them, in the order in which they are in memory. Most words fit,
// and are compared by two comparisons of numbers.
struct ShortWord {
  uint64_t low = 0;
  uint64_t high = 0;

  bool operator==(const ShortWord&) const = default;
};

inline ShortWord make_short_word(std::string_view word) {
  uint64_t parts[2] = {};
  std::memcpy(parts, word.data(), word.size());
  return {parts[0], parts[1]};
}

// The same where 16 bytes can be read at `word`, whatever its length: without a copy of variable length.
inline ShortWord make_short_word_in_text(const char* word, std::size_t length) {
  static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
  uint64_t parts[2];
  std::memcpy(parts, word, sizeof(parts));
  const uint64_t all = ~uint64_t{0};
  if (length <= 8) {
    return {length == 0 ? 0 : parts[0] & (all >> (64 - 8 * length)), 0};
  }
  return {parts[0], parts[1] & (all >> (128 - 8 * length))};
}

// Eight ASCII characters, or zeros, in lower case: 0x20 is added to those from A to Z. The sums set the top
// bit of each byte that is at least 'A', and of each that is beyond 'Z'; no sum passes into the next byte.
inline uint64_t ascii_lower(uint64_t bytes) {
  constexpr uint64_t ones = 0x0101010101010101;
  const uint64_t at_least_a = bytes + ones * (0x80 - 'A');
  const uint64_t beyond_z = bytes + ones * (0x7f - 'Z');
  return bytes | ((at_least_a & ~beyond_z & ones * 0x80) >> 2);
}

inline ShortWord ascii_lower(ShortWord word) {
  return {ascii_lower(word.low), ascii_lower(word.high)};
}

}  // namespace waybill::text
