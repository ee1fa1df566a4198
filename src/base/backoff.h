#pragma once

#include <algorithm>
#include <cstdint>

namespace waybill {

// How long to wait after so many attempts that failed one after the other: a second, then twice as long each
// time, a minute at most.
inline int64_t retry_ms_after(int failures) {
  constexpr int64_t first_ms = 1'000;
  constexpr int64_t most_ms = 60'000;
  constexpr int doublings_max = 6;
  return std::min(first_ms << std::clamp(failures - 1, 0, doublings_max), most_ms);
}

}  // namespace waybill
