#include "cli/job/time_words.h"

namespace waybill::cli::job {
namespace {

struct Unit {
  int64_t seconds;
  char letter;
};
constexpr Unit units[] = {{365 * 86'400, 'y'}, {86'400, 'd'}, {3600, 'h'}, {60, 'm'}, {1, 's'}};

std::string amount_words(int64_t seconds) {
  for (const auto& unit : units) {
    if (seconds >= unit.seconds) {
      return std::to_string(seconds / unit.seconds) + unit.letter;
    }
  }
  return {};
}

}  // namespace

std::string age_words(int64_t at_ms, int64_t now_ms) {
  const bool is_past = at_ms <= now_ms;
  const auto amount = amount_words((is_past ? now_ms - at_ms : at_ms - now_ms) / 1000);
  if (amount.empty()) {
    return "now";
  }
  return is_past ? amount + " ago" : "in " + amount;
}

}  // namespace waybill::cli::job
