#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "base/clock.h"
#include "base/result.h"

namespace waybill::intake {

// Whether somebody wants the work to end.
using StopFlag = std::atomic<bool>;

// Does something again as long as it fails for reasons that may pass: soon at first, then every two seconds,
// for `patience_ms` in all.
//
// Thread safety: const methods may be called from any thread.
class Patience {
 public:
  Patience(const Clock& clock, const StopFlag& stop, int64_t patience_ms)
      : clock_(clock), stop_(stop), patience_ms_(patience_ms) {}

  template <typename Work>
  auto keep_trying(Work work) const -> decltype(work()) {
    const int64_t begun_ms = clock_.steady_ms();
    for (int failures = 0;; ++failures) {
      auto done = work();
      if (done || done.error().kind != ErrorKind::unavailable || stop_.load() ||
          clock_.steady_ms() - begun_ms > patience_ms_) {
        return done;
      }
      wait_ms(retry_ms(failures));
    }
  }

  // Ends early where somebody wants to stop.
  void wait_ms(int64_t ms) const;

  static int64_t retry_ms(int failures);

 private:
  const Clock& clock_;
  const StopFlag& stop_;
  const int64_t patience_ms_;
};

}  // namespace waybill::intake
