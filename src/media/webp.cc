#include "media/webp.h"

#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/bytes.h"

namespace waybill::media {

namespace {

constexpr std::size_t head_bytes = 12;
constexpr std::size_t chunk_head_bytes = 8;
constexpr unsigned char metadata_flags = 0x20 | 0x08 | 0x04;  // profile, EXIF, XMP

// With its head and its padding; 0 where it does not fit into `left`.
std::size_t chunk_bytes(const char* chunk, std::size_t left) {
  if (left < chunk_head_bytes) {
    return 0;
  }
  const std::size_t content = load_u32_le(chunk + 4);
  const std::size_t whole = chunk_head_bytes + content + content % 2;
  return whole <= left ? whole : 0;
}

bool is_whole(const char* file, std::size_t bytes) {
  if (bytes < head_bytes || std::string_view(file, 4) != "RIFF" || std::string_view(file + 8, 4) != "WEBP" ||
      std::size_t{load_u32_le(file + 4)} + 8 != bytes) {
    return false;
  }
  std::size_t at = head_bytes;
  while (at < bytes) {
    const std::size_t chunk = chunk_bytes(file + at, bytes - at);
    if (chunk == 0) {
      return false;
    }
    at += chunk;
  }
  return true;
}

bool is_metadata(std::string_view name) {
  return name == "EXIF" || name == "XMP " || name == "ICCP";
}

}  // namespace

std::size_t remove_webp_metadata(char* file, std::size_t bytes) {
  if (!is_whole(file, bytes)) {
    return bytes;
  }
  std::size_t kept = head_bytes;
  for (std::size_t at = head_bytes; at < bytes;) {
    const std::size_t chunk = chunk_bytes(file + at, bytes - at);
    const std::string_view name(file + at, 4);
    if (name == "VP8X" && chunk > chunk_head_bytes) {
      char& flags = file[at + chunk_head_bytes];
      flags = static_cast<char>(static_cast<unsigned char>(flags) & ~metadata_flags);
    }
    if (!is_metadata(name)) {
      std::memmove(file + kept, file + at, chunk);
      kept += chunk;
    }
    at += chunk;
  }
  store_u32_le(file + 4, static_cast<uint32_t>(kept - 8));
  return kept;
}

}  // namespace waybill::media
