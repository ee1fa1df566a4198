#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "http/message.h"
#include "http/responder.h"
#include "http/upload.h"

namespace waybill::http {

// Takes one request and the duty to answer it. Runs on the connection's thread and must not block it; it may
// answer at once, or keep the Responder and answer later from any thread. Requests of one connection come one
// after the other, the next one after the answer to the last.
using Handler = std::function<void(const Request&, Responder)>;

// Words an answer that the server gives by itself: a request it cannot frame, a limit, a time that ran out.
using ErrorRenderer = std::function<Response(int status, std::string_view reason)>;

struct ServerOptions {
  std::string host = "127.0.0.1";  // an address, or "localhost"
  uint16_t port = 0;               // 0: one the system chooses
  int threads = 1;
  // Each thread has one of the processors that the process may use for its home, as far as there are enough,
  // and stays there while it has much to do. Where clients run on the same machine, the system likes to move
  // a thread and those it answers to one processor, and to leave another idle.
  bool thread_per_processor = false;

  std::size_t header_bytes_max = 16 * 1024;  // request line and headers
  std::size_t headers_max = 100;
  std::size_t body_bytes_max = 16 * 1024 * 1024 + 64 * 1024;  // as received, and again once decoded
  std::size_t bodies_bytes_max = 512 * 1024 * 1024;  // memory of all requests being received or handled
  std::size_t connections_max = 20'000;

  int64_t header_timeout_ms = 10'000;  // from the first byte of a request to the end of its headers
  int64_t idle_timeout_ms = 60'000;    // between requests
  int64_t body_grace_ms = 5'000;       // time before the least rate of a body is asked for
  int64_t body_bytes_per_second_min = 1024;
  int64_t write_timeout_ms = 30'000;  // a client that takes none of its answer for so long is closed
  int64_t stop_timeout_ms = 10'000;   // how long stop() lets requests in flight end

  const Clock* clock = nullptr;  // null: the system's; otherwise it outlives the server
  ErrorRenderer render_error;    // null: a line of plain text
  UploadOpener open_upload;      // null: every request is handled once its body is whole
};

// Speaks HTTP/1.1 and HTTP/1.0 on one TCP port.
//
// Each connection belongs to one thread. Framing is strict: whatever two parsers could read differently is
// answered with 400 and the connection is closed. Every buffer, count and time has a bound in ServerOptions.
//
// Thread safety: every method may be called from any thread. stop() and join() may be called repeatedly.
class Server {
 public:
  // Binds and starts the threads. Fails with ErrorKind::unavailable where the address cannot be had.
  static Result<std::unique_ptr<Server>> listen(ServerOptions options, Handler handler);

  // Stops and joins.
  ~Server();

  uint16_t port() const;
  std::size_t connection_count() const;

  // Stops accepting and closes idle connections; requests in flight have stop_timeout_ms to end, and those
  // who watch one are told. Returns at once.
  void stop();
  // Waits until every thread has ended. A Responder that outlives this drops its answer.
  void join();

 private:
  struct Parts;
  explicit Server(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace waybill::http
