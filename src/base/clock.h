#pragma once

#include <atomic>
#include <cstdint>

namespace waybill {

// The only source of time. Tests bend it; nothing else in the project asks the operating system.
//
// Thread safety: every method may be called from any thread.
class Clock {
 public:
  virtual ~Clock() = default;

  // Milliseconds since 1970, UTC. May step backwards when the machine's clock is set.
  virtual int64_t wall_ms() const = 0;

  // Milliseconds since some fixed moment. Never goes back.
  virtual int64_t steady_ms() const = 0;

  int64_t wall_seconds() const { return wall_ms() / 1000; }
};

class SystemClock final : public Clock {
 public:
  int64_t wall_ms() const override;
  int64_t steady_ms() const override;

  // For how long a piece of work takes.
  int64_t steady_us() const;
};

// A clock that stands still until it is told to move.
class ManualClock final : public Clock {
 public:
  explicit ManualClock(int64_t start_ms) : now_ms_(start_ms) {}

  int64_t wall_ms() const override { return now_ms_.load(); }
  int64_t steady_ms() const override { return now_ms_.load(); }
  void advance_ms(int64_t by_ms) { now_ms_.fetch_add(by_ms); }

 private:
  std::atomic<int64_t> now_ms_;
};

}  // namespace waybill
