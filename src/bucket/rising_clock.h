#pragma once

#include <algorithm>
#include <atomic>

#include "base/clock.h"

namespace waybill::bucket {

// Another clock, whose wall time never goes back: so a content that is made later never looks older than one
// that was made before, and what is swept by its age is not one that is just being made.
//
// Thread safety: every method may be called from any thread.
class RisingClock final : public Clock {
 public:
  explicit RisingClock(const Clock& clock) : clock_(clock), latest_ms_(clock.wall_ms()) {}

  int64_t wall_ms() const override {
    const int64_t now_ms = clock_.wall_ms();
    int64_t latest_ms = latest_ms_.load();
    while (now_ms > latest_ms && !latest_ms_.compare_exchange_weak(latest_ms, now_ms)) {
    }
    return std::max(now_ms, latest_ms);
  }
  int64_t steady_ms() const override { return clock_.steady_ms(); }

 private:
  const Clock& clock_;
  mutable std::atomic<int64_t> latest_ms_;
};

}  // namespace waybill::bucket
