#include "cli/progress_bar.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <iostream>

namespace waybill::cli {

namespace {

constexpr int bar_width = 30;
constexpr int line_every_percent = 10;

}  // namespace

std::string readable_bytes(uint64_t bytes) {
  constexpr std::array<std::string_view, 5> units = {"bytes", "kB", "MB", "GB", "TB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1000 && unit + 1 < units.size(); ++unit) {
    value /= 1000;
  }
  char digits[32];
  std::snprintf(digits, sizeof(digits), unit == 0 || value >= 100 ? "%.0f " : "%.1f ", value);
  return std::string(digits).append(units[unit]);
}

ProgressBar::ProgressBar() : on_terminal_(::isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar() {
  if (drawn_ && on_terminal_) {
    std::cerr << "\n";
  }
}

void ProgressBar::show(std::string_view what, uint64_t done, uint64_t total, const std::string& amounts) {
  const int percent = total == 0 ? 0 : static_cast<int>(std::min(done, total) * 100 / total);
  if (percent == last_percent_) {
    return;
  }
  if (on_terminal_) {
    const int filled = percent * bar_width / 100;
    std::cerr << "\r" << what << " [" << std::string(static_cast<std::size_t>(filled), '#')
              << std::string(static_cast<std::size_t>(bar_width - filled), ' ') << "] " << percent << " %  "
              << amounts << "\033[K" << std::flush;
    drawn_ = true;
  } else if (last_percent_ < 0 || percent / line_every_percent > last_percent_ / line_every_percent) {
    std::cerr << what << " " << percent << " %, " << amounts << "\n";
  }
  last_percent_ = percent;
}

}  // namespace waybill::cli
