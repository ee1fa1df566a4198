#pragma once

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <string_view>
#include <vector>

#include "load/out_buffer.h"
#include "load/request.h"
#include "load/socket.h"

namespace waybill::load {

inline int64_t now_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

// A connection with at most one request in flight, and the memory it needs again and again.
class Connection {
 public:
  // Takes over a socket that can be used for requests.
  void open(Socket socket);

  int fd() const { return socket_.fd(); }

  // Sends what can be sent without waiting. False: the connection is gone.
  bool send(std::string_view bytes);
  bool send_rest();
  bool has_unsent() const { return unsent_at_ < unsent_.size(); }

  // Reads once. False: the connection is gone.
  bool receive();
  // Whether the last read took all the room it had, so that more may be waiting.
  bool may_hold_more() const { return in_size_ == in_.size(); }
  // What was received and not yet consumed.
  std::string_view received() const { return {in_.data(), in_size_}; }
  void consume_all() { in_size_ = 0; }

  Request request;
  bool busy = false;
  int64_t started_ns = 0;  // of the request in flight: when it was sent, or should have been

 private:
  Socket socket_;
  std::vector<char> in_;
  std::size_t in_size_ = 0;
  OutBuffer unsent_;
  std::size_t unsent_at_ = 0;
};

}  // namespace waybill::load
