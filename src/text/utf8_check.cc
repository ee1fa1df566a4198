#include "text/utf8_check.h"

#include <algorithm>
#include <cstdint>

#include "text/utf8_walk.h"

namespace waybill::text {

namespace {

// By the first byte; 0 for one that begins no character.
std::size_t character_bytes(unsigned char first) {
  return first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
}

// The second byte has fewer values where others would be surrogates, too large, or have a shorter form.
bool is_second(unsigned char first, unsigned char second) {
  const unsigned char least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const unsigned char most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  return second >= least && second <= most;
}

bool is_character(std::string_view bytes) {
  const auto first = static_cast<unsigned char>(bytes[0]);
  if (bytes.size() > 1 && !is_second(first, static_cast<unsigned char>(bytes[1]))) {
    return false;
  }
  return std::all_of(bytes.begin() + 1, bytes.end(), is_continuation);
}

}  // namespace

std::size_t unfinished_bytes(std::string_view bytes) {
  constexpr std::size_t unfinished_max = 3;
  for (std::size_t back = 1; back <= std::min(unfinished_max, bytes.size()); ++back) {
    const char byte = bytes[bytes.size() - back];
    if (!is_continuation(byte)) {
      return character_bytes(static_cast<unsigned char>(byte)) > back ? back : 0;
    }
  }
  return 0;
}

Utf8Prefix utf8_prefix(std::string_view bytes) {
  Utf8Prefix prefix;
  while (prefix.bytes < bytes.size()) {
    const std::size_t length = character_bytes(static_cast<unsigned char>(bytes[prefix.bytes]));
    if (length == 0 || length > bytes.size() - prefix.bytes ||
        !is_character(bytes.substr(prefix.bytes, length))) {
      break;
    }
    prefix.bytes += length;
    prefix.long_characters += length > 1 ? 1 : 0;
  }
  return prefix;
}

}  // namespace waybill::text
