#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace waybill::load {

// A word followed by spaces up to the full 16 bytes: copying them all is faster than copying just enough.
struct Word {
  static constexpr std::size_t bytes_max = 15;  // and at least one space behind it

  std::array<char, bytes_max + 1> bytes{};
  uint8_t size = 0;

  std::string_view view() const { return {bytes.data(), size}; }
};

// English words as descriptions of photos use them, so that texts made of them compress as texts do. As many
// as a byte can choose from.
extern const std::array<Word, 256> words;
extern const std::array<Word, 32> label_names;

}  // namespace waybill::load
