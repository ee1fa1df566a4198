#include "engine/encryption/hex.h"

namespace waybill::engine::encryption {
namespace {

int digit_value(char digit) {
  if (digit >= '0' && digit <= '9') {
    return digit - '0';
  }
  const char lower = static_cast<char>(digit | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

}  // namespace

std::string to_hex(const unsigned char* bytes, std::size_t count) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * count);
  for (std::size_t i = 0; i < count; ++i) {
    text.push_back(digits[bytes[i] >> 4]);
    text.push_back(digits[bytes[i] & 15]);
  }
  return text;
}

bool from_hex(std::string_view text, unsigned char* bytes, std::size_t count) {
  if (text.size() != 2 * count) {
    return false;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const int high = digit_value(text[2 * i]);
    const int low = digit_value(text[2 * i + 1]);
    if (high < 0 || low < 0) {
      return false;
    }
    bytes[i] = static_cast<unsigned char>(high * 16 + low);
  }
  return true;
}

}  // namespace waybill::engine::encryption
