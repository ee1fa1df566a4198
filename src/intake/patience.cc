#include "intake/patience.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace waybill::intake {

int64_t Patience::retry_ms(int failures) {
  constexpr int64_t first_ms = 50;
  constexpr int64_t most_ms = 2'000;
  constexpr int doublings_max = 6;
  return std::min(first_ms << std::min(failures, doublings_max), most_ms);
}

void Patience::wait_ms(int64_t ms) const {
  constexpr int64_t slice_ms = 20;
  const int64_t end_ms = clock_.steady_ms() + ms;
  for (int64_t left = ms; left > 0 && !stop_.load(); left = end_ms - clock_.steady_ms()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(std::min(left, slice_ms)));
  }
}

}  // namespace waybill::intake
