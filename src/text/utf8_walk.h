#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace waybill::text {

inline bool is_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0) == 0x80;
}

// The code point at `at`, which is moved behind it. The text is known to be UTF-8, and `at` to be at the
// beginning of a character.
inline char32_t next_code_point(const char*& at) {
  const auto byte = [&] { return static_cast<unsigned char>(*at++); };
  const char32_t first = byte();
  if (first < 0x80) {
    return first;
  }
  const auto more = [&](char32_t so_far) { return so_far << 6 | (byte() & 0x3f); };
  if (first < 0xe0) {
    return more(first & 0x1f);
  }
  if (first < 0xf0) {
    return more(more(first & 0x0f));
  }
  return more(more(more(first & 0x07)));
}

// The beginning of the character that `offset` is in; `offset` itself where it is at a beginning or the end.
inline std::size_t character_start(std::string_view text, std::size_t offset) {
  while (offset > 0 && offset < text.size() && is_continuation(text[offset])) {
    --offset;
  }
  return offset;
}

inline void append_utf8(std::string& out, char32_t c) {
  if (c < 0x80) {
    out.push_back(static_cast<char>(c));
    return;
  }
  const auto tail = [&](int shift) { out.push_back(static_cast<char>(0x80 | ((c >> shift) & 0x3f))); };
  if (c < 0x800) {
    out.push_back(static_cast<char>(0xc0 | c >> 6));
  } else if (c < 0x10000) {
    out.push_back(static_cast<char>(0xe0 | c >> 12));
    tail(6);
  } else {
    out.push_back(static_cast<char>(0xf0 | c >> 18));
    tail(12);
    tail(6);
  }
  tail(0);
}

}  // namespace waybill::text
