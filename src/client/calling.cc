#include "client/calling.h"

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace waybill::client {

bool sleep_unless_stopped(int64_t ms, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any stopped;
  std::unique_lock lock(mutex);
  stopped.wait_for(lock, stop, std::chrono::milliseconds(ms), [&] { return stop.stop_requested(); });
  return !stop.stop_requested();
}

}  // namespace waybill::client
