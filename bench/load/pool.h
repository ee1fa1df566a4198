#pragma once

#include <sys/epoll.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/result.h"
#include "load/connection.h"
#include "load/dialect.h"

namespace waybill::load {

// The connections to one server, and the wait for what happens on them.
class Pool {
 public:
  Pool(Dialect& dialect, const Target& target) : dialect_(dialect), target_(target) {}
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  Status open(std::size_t count);
  // Replaces a connection that is gone.
  Status reopen(Connection& connection);

  std::span<const std::unique_ptr<Connection>> connections() const { return connections_; }

  // Asks to be told also when `connection` can send again, or no more.
  void watch_sending(Connection& connection, bool watched) const;

  // What happened since the last call, waiting at most `timeout_ns`; empty once that has passed. The data of
  // an event is its Connection. Edge-triggered: what is not read now is not told of again.
  std::span<const epoll_event> wait(int64_t timeout_ns);

 private:
  Dialect& dialect_;
  Target target_;
  int epoll_ = -1;
  std::vector<std::unique_ptr<Connection>> connections_;
  std::vector<epoll_event> events_;
};

}  // namespace waybill::load
