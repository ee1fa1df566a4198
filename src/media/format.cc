#include "media/format.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "base/bytes.h"

namespace waybill::media {

namespace {

using std::literals::operator""sv;

constexpr std::array<std::string_view, 5> names = {"jpeg", "png", "webp", "gif", "avif"};
constexpr std::array<std::string_view, 5> mime_types = {"image/jpeg", "image/png", "image/webp", "image/gif",
                                                        "image/avif"};

// An ISO media file begins with a box "ftyp": its size, its name, a main brand, a version, and further
// brands up to its end. Files of HEVC have the same box with other brands.
bool is_avif(std::string_view bytes) {
  constexpr std::size_t head_bytes = 16;
  constexpr std::size_t box_bytes_max = 1024;
  constexpr std::size_t brand_bytes = 4;
  if (bytes.size() < head_bytes || bytes.substr(4, 4) != "ftyp") {
    return false;
  }
  const std::size_t box = load_u32_be(bytes.data());
  if (box < head_bytes || box > std::min(bytes.size(), box_bytes_max)) {
    return false;
  }
  for (std::size_t at = 8; at + brand_bytes <= box; at += brand_bytes) {
    const auto brand = bytes.substr(at, brand_bytes);
    const bool is_version = at == 12;
    if (!is_version && (brand == "avif" || brand == "avis")) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::string_view name_of(Format format) {
  return names[static_cast<std::size_t>(format)];
}

std::optional<Format> format_named(std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? std::nullopt : std::optional(static_cast<Format>(found - names.begin()));
}

std::string_view mime_type_of(Format format) {
  return mime_types[static_cast<std::size_t>(format)];
}

bool can_be_written(Format format) {
  return format == Format::jpeg || format == Format::png || format == Format::webp;
}

std::optional<Format> format_of(std::string_view bytes) {
  if (bytes.starts_with("\xff\xd8\xff"sv)) {
    return Format::jpeg;
  }
  if (bytes.starts_with("\x89PNG\r\n\x1a\n"sv)) {
    return Format::png;
  }
  if (bytes.starts_with("RIFF"sv) && bytes.size() >= 12 && bytes.substr(8, 4) == "WEBP") {
    return Format::webp;
  }
  if (bytes.starts_with("GIF87a"sv) || bytes.starts_with("GIF89a"sv)) {
    return Format::gif;
  }
  return is_avif(bytes) ? std::optional(Format::avif) : std::nullopt;
}

}  // namespace waybill::media
