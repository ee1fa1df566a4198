#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "load/target.h"

namespace waybill::load {

// A connected TCP socket, closed with its owner. Blocking until set_nonblocking().
class Socket {
 public:
  Socket() = default;
  explicit Socket(int fd) : fd_(fd) {}
  Socket(Socket&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Socket& operator=(Socket&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Socket();

  // Without Nagle's delay.
  static Result<Socket> connect(const Target& target);

  int fd() const { return fd_; }

  // While blocking: sends all of `bytes`; reads some bytes, at least one, onto the end of `received`.
  Status send_all(std::string_view bytes) const;
  Status receive(std::string& received) const;

  void set_nonblocking() const;

 private:
  int fd_ = -1;
};

}  // namespace waybill::load
