#include "base/clock.h"

#include <chrono>

namespace waybill {

namespace {

template <typename ClockType>
int64_t since_epoch_ms() {
  using std::chrono::milliseconds;
  return std::chrono::duration_cast<milliseconds>(ClockType::now().time_since_epoch()).count();
}

}  // namespace

int64_t SystemClock::wall_ms() const {
  return since_epoch_ms<std::chrono::system_clock>();
}

int64_t SystemClock::steady_ms() const {
  return since_epoch_ms<std::chrono::steady_clock>();
}

int64_t SystemClock::steady_us() const {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace waybill
