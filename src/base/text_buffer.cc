#include "base/text_buffer.h"

#include <bit>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace waybill::json {
namespace {

constexpr std::size_t step_bytes = 16;
constexpr std::size_t half_step_bytes = 8;
constexpr std::size_t escape_bytes_max = 6;
constexpr std::size_t piece_bytes_max = 512;  // of a text that is copied at once
constexpr std::size_t literal_room = sizeof(uint64_t);

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
static_assert(std::endian::native == std::endian::little, "bytes of a word are counted from the low end");

constexpr uint64_t in_every_byte(unsigned char byte) {
  return 0x0101010101010101ULL * byte;
}

// The high bit of each byte that is zero; exact up to and including the first such byte.
constexpr uint64_t zero_bytes(uint64_t word) {
  return (word - in_every_byte(0x01)) & ~word & in_every_byte(0x80);
}

// The high bit of each byte that does not stand in JSON as it is; exact up to and including the first.
constexpr uint64_t escaped_bytes(uint64_t word) {
  const uint64_t control = (word - in_every_byte(0x20)) & ~word & in_every_byte(0x80);
  return control | zero_bytes(word ^ in_every_byte('"')) | zero_bytes(word ^ in_every_byte('\\'));
}

template <typename Word>
Word load(const char* bytes) {
  Word word = 0;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

// Copies a step, or two halves of one that may lie over each other; true where a byte has to be escaped.
#if defined(__SSE2__)
bool needs_escapes(__m128i step) {
  const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(step, _mm_set1_epi8(0x1f)), step);
  const __m128i quote = _mm_cmpeq_epi8(step, _mm_set1_epi8('"'));
  const __m128i backslash = _mm_cmpeq_epi8(step, _mm_set1_epi8('\\'));
  return _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(control, quote), backslash)) != 0;
}

bool needs_escapes(uint64_t half_step) {
  return needs_escapes(_mm_set1_epi64x(static_cast<long long>(half_step)));
}

bool copy_step(char* to, const char* from) {
  const __m128i step = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), step);
  return needs_escapes(step);
}

bool copy_halves(char* to, const char* from, std::size_t second) {
  const __m128i first_half = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
  const __m128i second_half = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from + second));
  _mm_storel_epi64(reinterpret_cast<__m128i*>(to), first_half);
  _mm_storel_epi64(reinterpret_cast<__m128i*>(to + second), second_half);
  return needs_escapes(_mm_unpacklo_epi64(first_half, second_half));
}
#else
bool needs_escapes(uint64_t half_step) {
  return escaped_bytes(half_step) != 0;
}

bool copy_halves(char* to, const char* from, std::size_t second) {
  const auto first_half = load<uint64_t>(from);
  const auto second_half = load<uint64_t>(from + second);
  std::memcpy(to, &first_half, half_step_bytes);
  std::memcpy(to + second, &second_half, half_step_bytes);
  return needs_escapes(first_half) || needs_escapes(second_half);
}

bool copy_step(char* to, const char* from) {
  return copy_halves(to, from, half_step_bytes);
}
#endif

// Under half a step.
bool copy_few(char* to, const char* from, std::size_t count) {
  if (count >= 4) {
    const auto first = load<uint32_t>(from);
    const auto last = load<uint32_t>(from + count - 4);
    std::memcpy(to, &first, 4);
    std::memcpy(to + count - 4, &last, 4);
    return needs_escapes(first | uint64_t{last} << 32);
  }
  int found = 0;
  for (std::size_t i = 0; i < count; ++i) {
    to[i] = from[i];
    found |= escapes[static_cast<unsigned char>(from[i])];
  }
  return found != 0;
}

// Up to a step. Copies `text`; true where a byte has to be escaped, and the copy is of no use.
bool copy_short(char* to, std::string_view text) {
  if (text.size() < half_step_bytes) {
    return copy_few(to, text.data(), text.size());
  }
  return copy_halves(to, text.data(), text.size() - half_step_bytes);
}

// The same for any length.
bool copy_text(char* to, std::string_view text) {
  if (text.size() <= step_bytes) {
    return copy_short(to, text);
  }
  const std::size_t last = text.size() - step_bytes;
  bool found = copy_step(to + last, text.data() + last);
  for (std::size_t i = 0; i < last; i += step_bytes) {
    found |= copy_step(to + i, text.data() + i);
  }
  return found;
}

}  // namespace

void TextBuffer::put_escaped(unsigned char byte) {
  static constexpr char hex[] = "0123456789abcdef";
  const char escape = escapes[byte];
  make_room(escape_bytes_max);
  *at_++ = '\\';
  *at_++ = escape;
  if (escape == 'u') {
    *at_++ = '0';
    *at_++ = '0';
    *at_++ = hex[byte >> 4];
    *at_++ = hex[byte & 15];
  }
}

void TextBuffer::put_with_escapes(std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  while (static_cast<std::size_t>(end - at) >= half_step_bytes) {
    make_room(half_step_bytes);
    const auto word = load<uint64_t>(at);
    std::memcpy(at_, &word, half_step_bytes);
    const std::size_t clean = static_cast<std::size_t>(std::countr_zero(escaped_bytes(word))) / 8;
    at_ += clean;
    at += clean;
    if (clean < half_step_bytes) {
      put_escaped(static_cast<unsigned char>(*at++));
    }
  }
  for (; at != end; ++at) {
    const auto byte = static_cast<unsigned char>(*at);
    if (escapes[byte] == 0) {
      put(*at);
    } else {
      put_escaped(byte);
    }
  }
}

void TextBuffer::put_text(std::string_view text) {
  make_room(text.size());
  if (copy_text(at_, text)) {
    put_with_escapes(text);
  } else {
    at_ += text.size();
  }
}

// Any text. A function of its own: the short ones, which are many, need no stack without it.
[[gnu::noinline]] void TextBuffer::put_long_string(Literal before, std::string_view text, Literal behind) {
  make_room(piece_bytes_max + 2 * literal_room);
  at_ = before.write(at_);
  if (text.size() <= piece_bytes_max && !copy_text(at_, text)) [[likely]] {
    at_ = behind.write(at_ + text.size());
    return;
  }
  // What a byte becomes does not depend on its neighbours.
  for (std::size_t i = 0; i < text.size(); i += piece_bytes_max) {
    put_text(text.substr(i, piece_bytes_max));
  }
  make_room(literal_room);
  at_ = behind.write(at_);
}

void TextBuffer::put_string(Literal before, std::string_view text, Literal behind) {
  const auto room = static_cast<std::size_t>(bytes_.data() + bytes_.size() - at_);
  if (text.size() > step_bytes || room < step_bytes + 2 * literal_room) [[unlikely]] {
    return put_long_string(before, text, behind);
  }
  char* const start = before.write(at_);
  if (copy_short(start, text)) [[unlikely]] {
    return put_long_string(before, text, behind);
  }
  at_ = behind.write(start + text.size());
}

}  // namespace waybill::json
