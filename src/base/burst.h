#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <utility>

namespace waybill {

// A stretch of work in which one thread hands out many pieces to others. Whoever would wake another thread
// for a piece leaves that to the end of the stretch: woken by the first piece, the other thread often takes
// the processor at once, finds that one piece alone, and falls asleep again before the second is there.
//
// Lives on the stack of its thread, one inside of the other. Allocates nothing.
class Burst {
 public:
  // Somebody who may be asleep.
  class Sleeper {
   public:
    virtual void wake() = 0;

   protected:
    ~Sleeper() = default;
  };

  Burst() : before_(current_) { current_ = this; }
  ~Burst() {
    current_ = before_;
    for (std::size_t i = 0; i < count_; ++i) {
      sleepers_[i]->wake();
    }
  }
  Burst(const Burst&) = delete;
  Burst& operator=(const Burst&) = delete;

  // Wakes them at the end of this thread's innermost burst, or at once where there is none.
  static void wake(std::shared_ptr<Sleeper> sleeper) {
    if (current_ == nullptr || current_->count_ == sleepers_max) {
      sleeper->wake();
    } else {
      current_->sleepers_[current_->count_++] = std::move(sleeper);
    }
  }
  // The same for one that outlives the burst.
  static void wake(Sleeper& sleeper) { wake(std::shared_ptr<Sleeper>(std::shared_ptr<void>(), &sleeper)); }

 private:
  static constexpr std::size_t sleepers_max = 16;
  static inline thread_local Burst* current_ = nullptr;

  Burst* before_;
  std::array<std::shared_ptr<Sleeper>, sleepers_max> sleepers_;
  std::size_t count_ = 0;
};

}  // namespace waybill
