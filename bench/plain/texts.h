#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace waybill::bench {

enum class Language : unsigned char { english, german, russian, japanese };

struct Text {
  Language language = Language::english;
  std::size_t bytes = 0;
  uint64_t seed = 1;
};

// Writes a text of made-up words, in sentences and paragraphs: few words are frequent and many are rare, as
// in texts that people write. UTF-8.
void write_text(const Text& text, const std::function<void(std::string_view)>& write);

}  // namespace waybill::bench
