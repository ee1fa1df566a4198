#include "plain/loop.h"

#include <sys/resource.h>

#include <atomic>
#include <thread>
#include <vector>

#include "base/clock.h"

namespace waybill::bench {
namespace {

double cpu_seconds() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

}  // namespace

Spent work_through(std::size_t count, std::size_t threads, const std::function<void(std::size_t)>& work) {
  const SystemClock clock;
  const double cpu_before = cpu_seconds();
  const int64_t begun_us = clock.steady_us();
  std::atomic<std::size_t> next = 0;
  {
    std::vector<std::jthread> running;
    for (std::size_t thread = 0; thread < threads; ++thread) {
      running.emplace_back([&] {
        for (std::size_t number = next++; number < count; number = next++) {
          work(number);
        }
      });
    }
  }
  return {static_cast<double>(clock.steady_us() - begun_us) / 1e6, cpu_seconds() - cpu_before};
}

}  // namespace waybill::bench
