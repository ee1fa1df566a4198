#pragma once

#include <atomic>
#include <cstddef>
#include <utility>

#include "base/clock.h"
#include "http/server.h"

namespace waybill::http {

// What the threads of one server share. Lives until the last connection is gone.
struct ServerState {
  ServerState(ServerOptions with_options, Handler with_handler)
      : options(std::move(with_options)),
        handler(std::move(with_handler)),
        clock(options.clock != nullptr ? *options.clock : system_clock) {}

  const ServerOptions options;
  const Handler handler;
  const SystemClock system_clock;
  const Clock& clock;
  std::atomic<std::size_t> connection_count{0};
  std::atomic<std::size_t> bodies_bytes{0};  // memory of requests beyond their connections' first buffers
};

}  // namespace waybill::http
