#include "contract/byte_size.h"

#include <array>
#include <charconv>
#include <utility>

namespace waybill::contract {

namespace {

constexpr int64_t thousand = 1000;
constexpr int64_t binary = 1024;
// The larger of two neighbours first, so that a size is told in the largest unit.
constexpr std::array<std::pair<std::string_view, int64_t>, 9> units = {{
    {"TiB", binary* binary* binary* binary},
    {"TB", thousand* thousand* thousand* thousand},
    {"GiB", binary* binary* binary},
    {"GB", thousand* thousand* thousand},
    {"MiB", binary* binary},
    {"MB", thousand* thousand},
    {"KiB", binary},
    {"KB", thousand},
    {"B", 1},
}};
constexpr int64_t bytes_max = 5 * binary * binary * binary * binary;

}  // namespace

std::optional<int64_t> parse_byte_size(std::string_view text) {
  int64_t count = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (failure != std::errc() || count < 0) {
    return {};
  }
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  for (const auto& [name, bytes] : units) {
    if (name == unit) {
      return count <= bytes_max / bytes ? std::optional(count * bytes) : std::nullopt;
    }
  }
  return {};
}

std::string byte_size_text(int64_t bytes) {
  for (const auto& [name, unit] : units) {
    if (bytes != 0 && bytes % unit == 0) {
      return std::to_string(bytes / unit).append(name);
    }
  }
  return std::to_string(bytes) + "B";
}

}  // namespace waybill::contract
