#include "http/acceptor.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/log.h"
#include "http/connection.h"

namespace waybill::http {
namespace {

using asio::ip::tcp;

constexpr int backlog = 4096;
constexpr int accepts_at_once_max = 64;
constexpr std::chrono::milliseconds pause_time{100};

constexpr std::string_view too_many_connections =
    "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

// Closes a file descriptor unless it is released.
class FileDescriptor {
 public:
  explicit FileDescriptor(int number) : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&&) = delete;
  ~FileDescriptor() {
    if (number_ >= 0) {
      ::close(number_);
    }
  }
  int get() const { return number_; }
  int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

Error cannot_listen(const ServerOptions& options, const std::string& why) {
  return Error{ErrorKind::unavailable,
               "cannot listen on " + options.host + ":" + std::to_string(options.port) + ": " + why,
               {}};
}

std::string text_of(const tcp::endpoint& endpoint) {
  const std::string address = endpoint.address().to_string();
  const std::string port = std::to_string(endpoint.port());
  return endpoint.address().is_v6() ? "[" + address + "]:" + port : address + ":" + port;
}

// Runs on the connection's own thread.
void adopt(IoThread& thread, FileDescriptor descriptor) {
  Socket socket(thread.context());
  sockaddr_storage address{};
  socklen_t length = sizeof(address);
  if (::getpeername(descriptor.get(), reinterpret_cast<sockaddr*>(&address), &length) != 0) {
    return;  // gone already
  }
  tcp::endpoint peer;
  std::memcpy(peer.data(), &address, length);
  peer.resize(length);
  const int on = 1;
  ::setsockopt(descriptor.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  ErrorCode error;
  socket.assign(peer.protocol(), descriptor.get(), error);
  if (error) {
    return;
  }
  descriptor.release();
  thread.adopt(std::move(socket), text_of(peer));
}

}  // namespace

Acceptor::Acceptor(std::shared_ptr<ServerState> state, std::vector<std::shared_ptr<IoThread>> threads)
    : state_(std::move(state)),
      threads_(std::move(threads)),
      acceptor_(threads_.front()->context()),
      pause_timer_(threads_.front()->context()) {}

Result<tcp::endpoint> Acceptor::resolve() const {
  const ServerOptions& options = state_->options;
  ErrorCode error;
  const auto address =
      asio::ip::make_address(options.host == "localhost" ? "127.0.0.1" : options.host, error);
  if (error) {
    return cannot_listen(options, "the host is not an IP address");
  }
  return tcp::endpoint(address, options.port);
}

Status Acceptor::listen() {
  const ServerOptions& options = state_->options;
  WAYBILL_TRY_ASSIGN(const tcp::endpoint endpoint, resolve());
  ErrorCode error;
  acceptor_.open(endpoint.protocol(), error);
  if (!error) {
    acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
  }
  if (!error) {
    acceptor_.bind(endpoint, error);
  }
  if (!error) {
    acceptor_.listen(backlog, error);
  }
  if (!error) {
    acceptor_.non_blocking(true, error);
  }
  if (error) {
    return cannot_listen(options, error.message());
  }
  port_ = acceptor_.local_endpoint(error).port();
  return {};
}

void Acceptor::start() {
  acceptor_.async_wait(tcp::acceptor::wait_read, [self = shared_from_this()](const ErrorCode& error) {
    if (!error && self->acceptor_.is_open()) {
      self->accept_some();
    }
  });
}

void Acceptor::close() {
  ErrorCode ignored;
  acceptor_.close(ignored);
  pause_timer_.cancel();
}

void Acceptor::accept_some() {
  for (int i = 0; i < accepts_at_once_max; ++i) {
    if (accept_one()) {
      continue;
    }
    if (errno == EAGAIN || errno == EWOULDBLOCK) {
      break;
    }
    if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
      pause();
      return;
    }
  }
  start();
}

// False where there was none to take; errno says why.
bool Acceptor::accept_one() {
  const int handle = ::accept4(acceptor_.native_handle(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (handle < 0) {
    return false;
  }
  if (state_->connection_count.load() < state_->options.connections_max) {
    deal(handle);
    return true;
  }
  FileDescriptor refused(handle);
  [[maybe_unused]] const auto sent = ::send(refused.get(), too_many_connections.data(),
                                            too_many_connections.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  return true;
}

// Out of file descriptors: the connection stays in the queue of the system, and asking again at once would
// only burn time.
void Acceptor::pause() {
  log_warning("http: out of file descriptors or memory, new connections have to wait");
  pause_timer_.expires_after(pause_time);
  pause_timer_.async_wait([self = shared_from_this()](const ErrorCode& error) {
    if (!error && self->acceptor_.is_open()) {
      self->start();
    }
  });
}

void Acceptor::deal(Socket::native_handle_type handle) {
  IoThread& thread = *threads_[next_thread_];
  next_thread_ = (next_thread_ + 1) % threads_.size();
  auto work = [&thread, descriptor = FileDescriptor(handle)]() mutable {
    adopt(thread, std::move(descriptor));
  };
  thread.push(make_task(std::move(work)).release());
}

}  // namespace waybill::http
