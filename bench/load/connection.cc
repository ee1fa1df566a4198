#include "load/connection.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

namespace waybill::load {
namespace {

constexpr std::size_t in_bytes_first = 32 * 1024;
constexpr std::size_t in_free_min = 8 * 1024;

bool would_block() {
  return errno == EAGAIN || errno == EINTR;
}

}  // namespace

void Connection::open(Socket socket) {
  socket_ = std::move(socket);
  socket_.set_nonblocking();
  in_.resize(std::max(in_.size(), in_bytes_first));
  in_size_ = 0;
  unsent_.clear();
  unsent_at_ = 0;
  busy = false;
}

bool Connection::send(std::string_view bytes) {
  const auto sent = ::send(fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
  if (sent == static_cast<ssize_t>(bytes.size())) {
    return true;
  }
  if (sent < 0 && !would_block()) {
    return false;
  }
  unsent_.clear();
  unsent_.add(bytes.substr(sent < 0 ? 0 : static_cast<std::size_t>(sent)));
  unsent_at_ = 0;
  return true;
}

bool Connection::send_rest() {
  const auto rest = unsent_.view().substr(unsent_at_);
  const auto sent = ::send(fd(), rest.data(), rest.size(), MSG_NOSIGNAL);
  if (sent < 0) {
    return would_block();
  }
  unsent_at_ += static_cast<std::size_t>(sent);
  return true;
}

bool Connection::receive() {
  if (in_.size() < in_size_ + in_free_min) {
    in_.resize(in_.size() * 2);
  }
  const auto count = ::recv(fd(), in_.data() + in_size_, in_.size() - in_size_, 0);
  if (count <= 0) {
    return count < 0 && would_block();
  }
  in_size_ += static_cast<std::size_t>(count);
  return true;
}

}  // namespace waybill::load
