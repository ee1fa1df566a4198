#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <limits>
#include <mutex>
#include <thread>

#include "base/clock.h"

namespace waybill::engine::queues {

// Rings once when a moment has come.
//
// Thread safety: set() from any thread. `ring` runs on the clock's own thread.
class AlarmClock {
 public:
  static constexpr int64_t never = std::numeric_limits<int64_t>::max();

  AlarmClock(const Clock& clock, std::function<void()> ring);
  ~AlarmClock();
  AlarmClock(const AlarmClock&) = delete;
  AlarmClock& operator=(const AlarmClock&) = delete;

  // In place of the moment that was set before.
  void set(int64_t wall_ms);

 private:
  void run();

  const Clock& clock_;
  const std::function<void()> ring_;
  std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  int64_t at_ms_ = never;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace waybill::engine::queues
