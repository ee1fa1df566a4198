#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace waybill {

// Fixed and variable length integers in byte strings. Big-endian forms sort as the numbers do.

inline void store_u32_be(char* bytes, uint32_t value) {
  bytes[0] = static_cast<char>(value >> 24);
  bytes[1] = static_cast<char>(value >> 16);
  bytes[2] = static_cast<char>(value >> 8);
  bytes[3] = static_cast<char>(value);
}

inline void append_u32_be(std::string& out, uint32_t value) {
  const char bytes[4] = {static_cast<char>(value >> 24), static_cast<char>(value >> 16),
                         static_cast<char>(value >> 8), static_cast<char>(value)};
  out.append(bytes, sizeof(bytes));
}

inline void append_u64_be(std::string& out, uint64_t value) {
  append_u32_be(out, static_cast<uint32_t>(value >> 32));
  append_u32_be(out, static_cast<uint32_t>(value));
}

inline uint32_t load_u32_be(const char* bytes) {
  uint32_t value;
  std::memcpy(&value, bytes, sizeof(value));
  return __builtin_bswap32(value);
}

inline uint64_t load_u64_be(const char* bytes) {
  uint64_t value;
  std::memcpy(&value, bytes, sizeof(value));
  return __builtin_bswap64(value);
}

inline uint32_t load_u32_le(const char* bytes) {
  uint32_t value;
  std::memcpy(&value, bytes, sizeof(value));
  return value;
}

inline void store_u32_le(char* bytes, uint32_t value) {
  std::memcpy(bytes, &value, sizeof(value));
}

// Seven bits a byte, low bits first, the top bit set on all but the last.
inline void append_varint(std::string& out, uint32_t value) {
  while (value >= 0x80) {
    out.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  out.push_back(static_cast<char>(value));
}

// Reads a varint that is known to be whole and moves `at` behind it.
inline uint32_t read_varint(const char*& at) {
  uint32_t value = static_cast<unsigned char>(*at++);
  if (value < 0x80) [[likely]] {
    return value;
  }
  value &= 0x7f;
  for (int shift = 7;; shift += 7) {
    const auto byte = static_cast<unsigned char>(*at++);
    value |= static_cast<uint32_t>(byte & 0x7f) << shift;
    if (byte < 0x80) {
      return value;
    }
  }
}

void append_base64(std::string& out, std::string_view bytes);

// Standard alphabet with padding; nullopt for anything else.
std::optional<std::string> decode_base64(std::string_view text);

std::string hex_lower(std::string_view bytes);

}  // namespace waybill
