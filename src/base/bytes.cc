#include "base/bytes.h"

#include <array>
#include <cstring>

namespace waybill {

namespace {

constexpr char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr unsigned char invalid_digit = 0xff;
constexpr unsigned invalid_bit = 0x80;  // which no digit has

constexpr std::array<unsigned char, 256> make_digits() {
  std::array<unsigned char, 256> digits{};
  digits.fill(invalid_digit);
  for (unsigned char i = 0; i < 64; ++i) {
    digits[static_cast<unsigned char>(alphabet[i])] = i;
  }
  return digits;
}

constexpr auto digits = make_digits();

uint32_t byte_at(std::string_view bytes, std::size_t at) {
  return static_cast<unsigned char>(bytes[at]);
}

uint32_t digit_at(std::string_view text, std::size_t at) {
  return digits[static_cast<unsigned char>(text[at])];
}

}  // namespace

void append_base64(std::string& out, std::string_view bytes) {
  const std::size_t start = out.size();
  out.resize(start + (bytes.size() + 2) / 3 * 4);
  char* to = out.data() + start;
  const auto put = [&to](char a, char b, char c, char d) {
    const char four[4] = {a, b, c, d};
    std::memcpy(to, four, sizeof(four));
    to += sizeof(four);
  };
  std::size_t i = 0;
  for (; i + 3 <= bytes.size(); i += 3) {
    const uint32_t three = byte_at(bytes, i) << 16 | byte_at(bytes, i + 1) << 8 | byte_at(bytes, i + 2);
    put(alphabet[three >> 18], alphabet[three >> 12 & 63], alphabet[three >> 6 & 63], alphabet[three & 63]);
  }
  if (i + 1 == bytes.size()) {
    const uint32_t one = byte_at(bytes, i);
    put(alphabet[one >> 2], alphabet[(one & 3) << 4], '=', '=');
  } else if (i + 2 == bytes.size()) {
    const uint32_t two = byte_at(bytes, i) << 8 | byte_at(bytes, i + 1);
    put(alphabet[two >> 10], alphabet[two >> 4 & 63], alphabet[(two & 15) << 2], '=');
  }
}

std::optional<std::string> decode_base64(std::string_view text) {
  if (text.size() % 4 != 0) {
    return std::nullopt;
  }
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  const std::size_t whole = text.size() - (padding > 0 ? 4 : 0);  // characters in groups without padding
  std::string bytes(text.size() / 4 * 3 - padding, '\0');
  char* to = bytes.data();
  const auto put = [&to](uint32_t three, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) {
      *to++ = static_cast<char>(three >> (16 - 8 * k));
    }
  };
  unsigned seen = 0;
  for (std::size_t i = 0; i < whole; i += 4) {
    const uint32_t a = digit_at(text, i);
    const uint32_t b = digit_at(text, i + 1);
    const uint32_t c = digit_at(text, i + 2);
    const uint32_t d = digit_at(text, i + 3);
    seen |= a | b | c | d;
    put(a << 18 | b << 12 | c << 6 | d, 3);
  }
  if (padding > 0) {
    const uint32_t a = digit_at(text, whole);
    const uint32_t b = digit_at(text, whole + 1);
    const uint32_t c = padding == 1 ? digit_at(text, whole + 2) : 0;
    seen |= a | b | c;
    const uint32_t three = a << 18 | b << 12 | c << 6;
    // Bits that stand for no byte are zero, or two texts would be one value.
    if ((three & (padding == 2 ? 0xFFFFU : 0xFFU)) != 0) {
      return std::nullopt;
    }
    put(three, 3 - padding);
  }
  return (seen & invalid_bit) == 0 ? std::optional(std::move(bytes)) : std::nullopt;
}

std::string hex_lower(std::string_view bytes) {
  static constexpr char hex[] = "0123456789abcdef";
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    text.push_back(hex[static_cast<unsigned char>(c) >> 4]);
    text.push_back(hex[static_cast<unsigned char>(c) & 0x0f]);
  }
  return text;
}

}  // namespace waybill
