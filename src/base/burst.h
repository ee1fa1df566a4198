#pragma once

#include <vector>

#include "base/unique_function.h"

namespace waybill {

// A stretch of work in which one thread hands out many pieces to others. Whoever would wake another thread
// for a piece leaves that to the end of the stretch: woken by the first piece, the other thread often takes
// the processor at once, finds that one piece alone, and falls asleep again before the second is there.
//
// One at a time for each thread, on its stack.
class Burst {
 public:
  Burst() : before_(current_) { current_ = this; }
  ~Burst() {
    current_ = before_;
    for (auto& wake : wakes_) {
      wake();
    }
  }
  Burst(const Burst&) = delete;
  Burst& operator=(const Burst&) = delete;

  // The innermost one of this thread; null where there is none.
  static Burst* current() { return current_; }

  void at_end(UniqueFunction<void()> wake) { wakes_.push_back(std::move(wake)); }

 private:
  static inline thread_local Burst* current_ = nullptr;

  Burst* before_;
  std::vector<UniqueFunction<void()>> wakes_;
};

}  // namespace waybill
