#pragma once

#include <array>
#include <bit>
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

// For each length from 0 to 16 ones where the bytes of a word are.
inline constexpr auto short_word_masks = [] {
  std::array<ShortWord, short_word_bytes_max + 1> masks{};
  for (std::size_t length = 1; length < masks.size(); ++length) {
    const uint64_t all = ~uint64_t{0};
    masks[length].low = length >= 8 ? all : all >> (64 - 8 * length);
    masks[length].high = length <= 8 ? 0 : all >> (128 - 8 * length);
  }
  return masks;
}();

// The same where 16 bytes can be read at `word`, whatever its length: without a branch, since nobody can
// guess how long the next word is.
inline ShortWord make_short_word_in_text(const char* word, std::size_t length) {
  static_assert(std::endian::native == std::endian::little);
  uint64_t parts[2];
  std::memcpy(parts, word, sizeof(parts));
  const ShortWord& mask = short_word_masks[length];
  return {parts[0] & mask.low, parts[1] & mask.high};
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
