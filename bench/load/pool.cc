#include "load/pool.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>

namespace waybill::load {

Pool::~Pool() {
  if (epoll_ >= 0) {
    ::close(epoll_);
  }
}

Status Pool::open(std::size_t count) {
  // Timers of an ordinary process may be 50 µs late, which would count as latency in an open loop.
  ::prctl(PR_SET_TIMERSLACK, 1);
  epoll_ = ::epoll_create1(0);
  events_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    connections_.push_back(std::make_unique<Connection>());
    WAYBILL_TRY(reopen(*connections_.back()));
  }
  return {};
}

Status Pool::reopen(Connection& connection) {
  WAYBILL_TRY_ASSIGN(auto socket, Socket::connect(target_));
  WAYBILL_TRY(dialect_.greet(socket));
  connection.open(std::move(socket));  // closes the old one, which takes it off the epoll set
  epoll_event event{};
  event.events = EPOLLIN | EPOLLET;
  event.data.ptr = &connection;
  ::epoll_ctl(epoll_, EPOLL_CTL_ADD, connection.fd(), &event);
  return {};
}

void Pool::watch_sending(Connection& connection, bool watched) const {
  epoll_event event{};
  event.events = EPOLLET | (watched ? EPOLLIN | EPOLLOUT : EPOLLIN);
  event.data.ptr = &connection;
  ::epoll_ctl(epoll_, EPOLL_CTL_MOD, connection.fd(), &event);
}

std::span<const epoll_event> Pool::wait(int64_t timeout_ns) {
  const timespec timeout = {timeout_ns / 1'000'000'000, timeout_ns % 1'000'000'000};
  const int count =
      ::epoll_pwait2(epoll_, events_.data(), static_cast<int>(events_.size()), &timeout, nullptr);
  return {events_.data(), static_cast<std::size_t>(std::max(count, 0))};
}

}  // namespace waybill::load
