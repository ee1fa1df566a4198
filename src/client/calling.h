#pragma once

#include <algorithm>
#include <cstdint>
#include <stop_token>

#include "base/clock.h"
#include "base/result.h"

namespace waybill::client {

// How long to go on with a call.
struct Calling {
  std::stop_token stop = {};  // ends it at once
  int64_t patience_ms = 0;    // for how long it is tried again after trouble that may pass; 0: not at all
};

// Waits; false where it was stopped before the time was over.
bool sleep_unless_stopped(int64_t ms, const std::stop_token& stop);

// How long to wait before the next attempt: a tenth of a second, then twice as long each time, five seconds
// at most. A shorter wait than an outage costs little, and a longer one loses leases.
inline int64_t pause_ms_after(int failures) {
  constexpr int64_t first_ms = 100;
  constexpr int64_t most_ms = 5'000;
  constexpr int doublings_max = 6;
  return std::min(first_ms << std::clamp(failures - 1, 0, doublings_max), most_ms);
}

// Calls `attempt`, which gives a Result, until it succeeds, fails for good (anything but `unavailable`), or
// patience ends; then its last error is the result.
template <typename Attempt>
auto persist(const Clock& clock, const Calling& calling, Attempt&& attempt) -> decltype(attempt()) {
  const int64_t end_ms = clock.steady_ms() + calling.patience_ms;
  for (int failures = 1;; ++failures) {
    auto result = attempt();
    if (result || result.error().kind != ErrorKind::unavailable) {
      return result;
    }
    const int64_t pause_ms = pause_ms_after(failures);
    if (clock.steady_ms() + pause_ms > end_ms || !sleep_unless_stopped(pause_ms, calling.stop)) {
      return result;
    }
  }
}

}  // namespace waybill::client
