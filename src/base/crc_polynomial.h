#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

// Arithmetic of polynomials over one bit, modulo a check's own polynomial. Words are reflected: the highest
// bit of a word stands for x^0, as in all checks that are known here.
namespace waybill {

inline constexpr uint32_t crc32_polynomial = 0xedb88320;
inline constexpr uint32_t crc32c_polynomial = 0x82f63b78;
inline constexpr uint64_t crc64nvme_polynomial = 0x9a6c9329ac4bc9b5;

template <typename Word>
inline constexpr Word x_to_the_0 = Word{1} << (8 * sizeof(Word) - 1);

template <typename Word>
constexpr Word times_x(Word value, Word polynomial) {
  return (value >> 1) ^ ((value & 1) != 0 ? polynomial : 0);
}

template <typename Word>
constexpr Word multiply(Word a, Word b, Word polynomial) {
  Word product = 0;
  for (; a != 0; a <<= 1) {
    if ((a & x_to_the_0<Word>) != 0) {
      product ^= b;
    }
    b = times_x(b, polynomial);
  }
  return product;
}

// x^exponent.
template <typename Word>
constexpr Word x_to_the(uint64_t exponent, Word polynomial) {
  Word power = x_to_the_0<Word>;
  Word square = x_to_the_0<Word> >> 1;
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) {
      power = multiply(power, square, polynomial);
    }
    square = multiply(square, square, polynomial);
  }
  return power;
}

// What each byte adds to a check, for one step a byte.
template <typename Word>
constexpr std::array<Word, 256> make_crc_table(Word polynomial) {
  std::array<Word, 256> table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    auto value = static_cast<Word>(i);
    for (int bit = 0; bit < 8; ++bit) {
      value = times_x(value, polynomial);
    }
    table[i] = value;
  }
  return table;
}

}  // namespace waybill
