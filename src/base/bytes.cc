#include "base/bytes.h"

#include <array>

namespace waybill {

namespace {

constexpr char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr unsigned char invalid_digit = 0xff;

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

}  // namespace

void append_base64(std::string& out, std::string_view bytes) {
  std::size_t i = 0;
  for (; i + 3 <= bytes.size(); i += 3) {
    const uint32_t three = byte_at(bytes, i) << 16 | byte_at(bytes, i + 1) << 8 | byte_at(bytes, i + 2);
    const char four[4] = {alphabet[three >> 18], alphabet[three >> 12 & 63], alphabet[three >> 6 & 63],
                          alphabet[three & 63]};
    out.append(four, 4);
  }
  if (i + 1 == bytes.size()) {
    const uint32_t one = byte_at(bytes, i);
    const char four[4] = {alphabet[one >> 2], alphabet[(one & 3) << 4], '=', '='};
    out.append(four, 4);
  } else if (i + 2 == bytes.size()) {
    const uint32_t two = byte_at(bytes, i) << 8 | byte_at(bytes, i + 1);
    const char four[4] = {alphabet[two >> 10], alphabet[two >> 4 & 63], alphabet[(two & 15) << 2], '='};
    out.append(four, 4);
  }
}

std::optional<std::string> decode_base64(std::string_view text) {
  if (text.size() % 4 != 0) {
    return std::nullopt;
  }
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t i = 0; i < text.size(); i += 4) {
    const bool last = i + 4 == text.size();
    const int padding = !last ? 0 : text[i + 2] == '=' && text[i + 3] == '=' ? 2 : text[i + 3] == '=' ? 1 : 0;
    uint32_t three = 0;
    for (std::size_t k = 0; k < 4 - static_cast<std::size_t>(padding); ++k) {
      const unsigned char digit = digits[static_cast<unsigned char>(text[i + k])];
      if (digit == invalid_digit) {
        return std::nullopt;
      }
      three |= static_cast<uint32_t>(digit) << (18 - 6 * k);
    }
    // Bits that stand for no byte are zero, or two texts would be one value.
    if ((padding == 2 && (three & 0xFFFF) != 0) || (padding == 1 && (three & 0xFF) != 0)) {
      return std::nullopt;
    }
    bytes.push_back(static_cast<char>(three >> 16));
    if (padding < 2) {
      bytes.push_back(static_cast<char>(three >> 8));
    }
    if (padding < 1) {
      bytes.push_back(static_cast<char>(three));
    }
  }
  return bytes;
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
