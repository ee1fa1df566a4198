// Preloaded into a server under test: its wall clock is WAYBILL_TEST_AHEAD_S seconds ahead. Timers run as
// ever.
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cstdlib>

extern "C" int clock_gettime(clockid_t clock, timespec* moment) noexcept {
  static const char* const ahead = std::getenv("WAYBILL_TEST_AHEAD_S");
  const auto result = static_cast<int>(::syscall(SYS_clock_gettime, clock, moment));
  if (clock == CLOCK_REALTIME && ahead != nullptr) {
    moment->tv_sec += std::atol(ahead);
  }
  return result;
}
