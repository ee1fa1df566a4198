#include "load/socket.h"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace waybill::load {
namespace {

Error system_error(const std::string& what) {
  return Error{ErrorKind::unavailable, what + ": " + std::strerror(errno), {}};
}

}  // namespace

Socket::~Socket() {
  if (fd_ >= 0) {
    ::close(fd_);
  }
}

Result<Socket> Socket::connect(const Target& target) {
  addrinfo hints{};
  hints.ai_family = AF_INET;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (::getaddrinfo(target.host.c_str(), std::to_string(target.port).c_str(), &hints, &found) != 0) {
    return invalid("no such host: " + target.host);
  }
  Socket socket(::socket(AF_INET, SOCK_STREAM, 0));
  const int failed = ::connect(socket.fd_, found->ai_addr, found->ai_addrlen);
  ::freeaddrinfo(found);
  if (failed != 0) {
    return system_error("cannot connect to " + target.url);
  }
  const int on = 1;
  ::setsockopt(socket.fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  // Where the machine's default is BBR, sending is paced by timers, which on loopback is only a delay.
  constexpr std::string_view unpaced = "reno";
  ::setsockopt(socket.fd_, IPPROTO_TCP, TCP_CONGESTION, unpaced.data(), unpaced.size());
  return socket;
}

Status Socket::send_all(std::string_view bytes) const {
  while (!bytes.empty()) {
    const auto sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0) {
      return system_error("cannot send");
    }
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return {};
}

Status Socket::receive(std::string& received) const {
  char bytes[16 * 1024];
  const auto count = ::recv(fd_, bytes, sizeof(bytes), 0);
  if (count <= 0) {
    return count == 0 ? Status(Error{ErrorKind::unavailable, "the server closed the connection", {}})
                      : system_error("cannot receive");
  }
  received.append(bytes, static_cast<std::size_t>(count));
  return {};
}

void Socket::set_nonblocking() const {
  ::fcntl(fd_, F_SETFL, ::fcntl(fd_, F_GETFL) | O_NONBLOCK);
}

}  // namespace waybill::load
