#include "cli/import_watcher.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iostream>

namespace waybill::cli {
namespace {

constexpr uint64_t rejections_shown_max = 100;

std::string seconds_words(uint64_t seconds) {
  constexpr uint64_t minute = 60;
  if (seconds < 2 * minute) {
    return std::to_string(seconds) + " s";
  }
  const uint64_t minutes = seconds / minute;
  return minutes < 2 * minute ? std::to_string(minutes) + " min" : std::to_string(minutes / minute) + " h";
}

}  // namespace

std::string grouped(uint64_t number) {
  constexpr std::size_t group = 3;
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > group;) {
    at -= group;
    text.insert(at, ",");
  }
  return text;
}

std::string pace_words(uint64_t done, uint64_t total, uint64_t done_now, int64_t elapsed_ms) {
  std::string text = grouped(done) + " of " + grouped(std::max(done, total)) + " rows";
  if (elapsed_ms <= 0 || done_now == 0) {
    return text;
  }
  const uint64_t rate = done_now * 1000 / static_cast<uint64_t>(elapsed_ms);
  text += ", " + grouped(rate) + " rows/s";
  if (total > done && rate > 0) {
    text += ", " + seconds_words((total - done + rate - 1) / rate) + " left";
  }
  return text;
}

ImportWatcher::ImportWatcher(const Clock& clock)
    : clock_(clock), on_terminal_(::isatty(STDERR_FILENO) == 1) {}

void ImportWatcher::end_line() {
  bar_.reset();
  what_.clear();
  if (!lag_text_.empty() && on_terminal_) {
    std::cerr << "\n";
  }
  lag_text_.clear();
}

void ImportWatcher::advanced(const std::string& what, uint64_t done, uint64_t total) {
  if (what != what_) {
    end_line();
    bar_.emplace();
    what_ = what;
    first_done_ = done;
    begun_ms_ = clock_.steady_ms();
  }
  bar_->show(what, done, total, pace_words(done, total, done - first_done_, clock_.steady_ms() - begun_ms_));
}

void ImportWatcher::rejected(const intake::Rejection& rejection) {
  ++rejections_;
  if (rejections_ > rejections_shown_max) {
    return;
  }
  end_line();
  std::cerr << "rejected: " << rejection.row << ": " << rejection.why << "\n";
  if (rejections_ == rejections_shown_max) {
    std::cerr << "further rejected rows are counted, and not listed here\n";
  }
}

// On a terminal one line is drawn over itself; elsewhere a line comes where something has changed.
void ImportWatcher::lags(uint64_t changes, int64_t oldest_ms, uint64_t applied) {
  char lag[32];
  std::snprintf(lag, sizeof(lag), "%.1f", static_cast<double>(oldest_ms) / 1000);
  const std::string text = changes == 0
                               ? "following: no change waits; " + grouped(applied) + " brought along"
                               : "following: " + grouped(changes) + " changes wait, the oldest for " + lag +
                                     " s; " + grouped(applied) + " brought along";
  if (text == lag_text_) {
    return;
  }
  if (bar_) {
    end_line();
  }
  lag_text_ = text;
  std::cerr << (on_terminal_ ? "\r" : "") << text << (on_terminal_ ? "\033[K" : "\n") << std::flush;
}

void ImportWatcher::says(const std::string& text) {
  end_line();
  std::cerr << text << "\n";
}

}  // namespace waybill::cli
