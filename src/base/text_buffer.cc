#include "base/text_buffer.h"

#include <bit>
#include <cstdint>

namespace waybill::json {
namespace {

constexpr std::size_t step_bytes = 8;
constexpr std::size_t escape_bytes_max = 6;

// For each byte what follows the backslash: 0 for none, 'u' for \u00XX.
constexpr std::array<char, 256> make_escapes() {
  std::array<char, 256> escapes{};
  for (std::size_t i = 0; i < 0x20; ++i) {
    escapes[i] = 'u';
  }
  escapes['"'] = '"';
  escapes['\\'] = '\\';
  escapes['\b'] = 'b';
  escapes['\f'] = 'f';
  escapes['\n'] = 'n';
  escapes['\r'] = 'r';
  escapes['\t'] = 't';
  return escapes;
}

constexpr auto escapes = make_escapes();

constexpr uint64_t in_every_byte(unsigned char byte) {
  return 0x0101010101010101ULL * byte;
}

// The high bit of each byte that is zero; exact up to and including the first such byte.
constexpr uint64_t zero_bytes(uint64_t word) {
  return (word - in_every_byte(0x01)) & ~word & in_every_byte(0x80);
}

// How many of the eight bytes, from the first on, stand in JSON as they are.
std::size_t clean_bytes(uint64_t word) {
  const uint64_t control = (word - in_every_byte(0x20)) & ~word & in_every_byte(0x80);
  const uint64_t marked =
      control | zero_bytes(word ^ in_every_byte('"')) | zero_bytes(word ^ in_every_byte('\\'));
  return static_cast<std::size_t>(std::countr_zero(marked)) / 8;
}
static_assert(std::endian::native == std::endian::little, "clean_bytes counts from the low end");

}  // namespace

void TextBuffer::put_escaped(unsigned char byte) {
  static constexpr char hex[] = "0123456789abcdef";
  const char escape = escapes[byte];
  make_room(escape_bytes_max);
  char* at = bytes_.data() + used_;
  *at++ = '\\';
  *at++ = escape;
  if (escape == 'u') {
    *at++ = '0';
    *at++ = '0';
    *at++ = hex[byte >> 4];
    *at++ = hex[byte & 15];
  }
  used_ = static_cast<std::size_t>(at - bytes_.data());
}

void TextBuffer::put_string(std::string_view text) {
  put('"');
  const char* at = text.data();
  const char* const end = at + text.size();
  while (static_cast<std::size_t>(end - at) >= step_bytes) {
    make_room(step_bytes);
    uint64_t word = 0;
    std::memcpy(&word, at, step_bytes);
    std::memcpy(bytes_.data() + used_, at, step_bytes);
    const std::size_t clean = clean_bytes(word);
    used_ += clean;
    at += clean;
    if (clean < step_bytes) [[unlikely]] {
      put_escaped(static_cast<unsigned char>(*at++));
    }
  }
  make_room(step_bytes);
  for (; at != end; ++at) {
    const auto byte = static_cast<unsigned char>(*at);
    if (escapes[byte] == 0) [[likely]] {
      put(*at);
    } else {
      put_escaped(byte);
    }
  }
  put('"');
}

}  // namespace waybill::json
