#include "cli/job/text_width.h"

#include <algorithm>

namespace waybill::cli::job {
namespace {

constexpr char32_t no_letter = 0xFFFFFFFF;

struct Range {
  char32_t first;
  char32_t last;
};
constexpr Range wide[] = {{0x1100, 0x115F}, {0x2E80, 0xA4CF},   {0xAC00, 0xD7A3},
                          {0xF900, 0xFAFF}, {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},
                          {0xFFE0, 0xFFE6}, {0x1F300, 0x1FAFF}, {0x20000, 0x3FFFD}};
constexpr Range without_width[] = {{0x300, 0x36F}, {0x200B, 0x200D}, {0xFE00, 0xFE0F}};
constexpr Range unfit[] = {{0, 0x1F},        {0x7F, 0x9F},       {0x200E, 0x200F},
                           {0x2028, 0x202E}, {0x2066, 0x2069},   {0xD800, 0xDFFF},
                           {0xFFF9, 0xFFFB}, {0xE0000, 0xE007F}, {0x110000, no_letter}};

template <std::size_t count>
bool is_in(const Range (&ranges)[count], char32_t letter) {
  return std::ranges::any_of(
      ranges, [&](const Range& range) { return letter >= range.first && letter <= range.last; });
}

std::size_t length_by(unsigned char first) {
  if (first < 0x80) {
    return 1;
  }
  if (first < 0xC2) {
    return 0;
  }
  return first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
}

// Cuts the next letter off; one byte and no_letter where it is none.
char32_t next_letter(std::string_view& text, std::string_view& bytes) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t length = length_by(first);
  char32_t letter = length == 1 ? first : first & (0xFFU >> (length + 1));
  bool is_letter = length > 0 && length <= text.size();
  for (std::size_t i = 1; is_letter && i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    is_letter = (byte & 0xC0U) == 0x80;
    letter = (letter << 6U) | (byte & 0x3FU);
  }
  is_letter = is_letter && !(length == 3 && letter < 0x800) && !(length == 4 && letter < 0x10000);
  bytes = text.substr(0, is_letter ? length : 1);
  text.remove_prefix(bytes.size());
  return is_letter ? letter : no_letter;
}

std::size_t places_of(char32_t letter) {
  return is_in(without_width, letter) ? 0 : is_in(wide, letter) ? 2 : 1;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string made;
  made.reserve(text.size());
  std::string_view bytes;
  while (!text.empty()) {
    const char32_t letter = next_letter(text, bytes);
    if (letter == '\n' || letter == '\r' || letter == '\t') {
      made += ' ';
    } else if (is_in(unfit, letter)) {
      made += '?';
    } else {
      made += bytes;
    }
  }
  return made;
}

std::size_t width_of(std::string_view text) {
  std::size_t width = 0;
  std::string_view bytes;
  while (!text.empty()) {
    width += places_of(next_letter(text, bytes));
  }
  return width;
}

std::string cut_to(std::string_view text, std::size_t width) {
  if (width_of(text) <= width) {
    return std::string(text);
  }
  std::string made;
  std::string_view bytes;
  for (std::size_t used = 1; !text.empty();) {  // one for the dots
    used += places_of(next_letter(text, bytes));
    if (used > width) {
      break;
    }
    made += bytes;
  }
  return made + "…";
}

}  // namespace waybill::cli::job
