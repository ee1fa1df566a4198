#include "contract/duration.h"

#include <array>
#include <charconv>
#include <utility>

namespace waybill::contract {

namespace {

constexpr std::array<std::pair<char, int64_t>, 4> units = {
    {{'d', 86'400}, {'h', 3'600}, {'m', 60}, {'s', 1}}};
constexpr int64_t seconds_max = 100LL * 366 * 86'400;

}  // namespace

std::optional<int64_t> parse_duration(std::string_view text) {
  if (text.size() < 2 || text.front() == '-') {
    return {};
  }
  int64_t count = 0;
  const char* const unit_at = text.data() + text.size() - 1;
  const auto [end, error] = std::from_chars(text.data(), unit_at, count);
  if (error != std::errc() || end != unit_at) {
    return {};
  }
  for (const auto& [letter, seconds] : units) {
    if (letter == *unit_at) {
      return count <= seconds_max / seconds ? std::optional(count * seconds) : std::nullopt;
    }
  }
  return {};
}

std::string duration_text(int64_t seconds) {
  for (const auto& [letter, unit] : units) {
    if (seconds != 0 && seconds % unit == 0) {
      return std::to_string(seconds / unit) + letter;
    }
  }
  return std::to_string(seconds) + "s";
}

}  // namespace waybill::contract
