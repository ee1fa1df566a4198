#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace waybill::redrive {

// Waits for a number of callbacks. May be destroyed as soon as wait() has returned, which std::latch does not
// promise.
class Countdown {
 public:
  explicit Countdown(std::size_t count) : left_(count) {}

  void count_down() {
    const std::lock_guard lock(mutex_);
    if (--left_ == 0) {
      done_.notify_all();
    }
  }

  void wait() {
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return left_ == 0; });
  }

 private:
  std::mutex mutex_;  // guards what follows
  std::condition_variable done_;
  std::size_t left_;
};

}  // namespace waybill::redrive
