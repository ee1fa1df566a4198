#include "engine/queues/alarm_clock.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/thread_name.h"

namespace waybill::engine::queues {
namespace {

// The machine's clock may be set while we wait.
constexpr int64_t look_again_ms = 500;

}  // namespace

AlarmClock::AlarmClock(const Clock& clock, std::function<void()> ring)
    : clock_(clock), ring_(std::move(ring)), thread_([this] { run(); }) {}

AlarmClock::~AlarmClock() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void AlarmClock::set(int64_t wall_ms) {
  bool sooner = false;
  {
    const std::lock_guard lock(mutex_);
    sooner = wall_ms < at_ms_;
    at_ms_ = wall_ms;
  }
  if (sooner) {
    changed_.notify_one();
  }
}

void AlarmClock::run() {
  name_this_thread("queue-clock");
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (at_ms_ == never) {
      changed_.wait(lock);
      continue;
    }
    const int64_t left_ms = at_ms_ - clock_.wall_ms();
    if (left_ms > 0) {
      changed_.wait_for(lock, std::chrono::milliseconds(std::min(left_ms, look_again_ms)));
      continue;
    }
    at_ms_ = never;
    lock.unlock();
    ring_();
    lock.lock();
  }
}

}  // namespace waybill::engine::queues
