#include "control/unix_socket.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace waybill::control {

namespace {

constexpr int waiting_max = 16;
constexpr std::size_t line_bytes_max = 1 << 20;

Error failed(const std::string& what, const std::string& path) {
  return Error{ErrorKind::unavailable, what + " " + path + ": " + std::strerror(errno), {}};
}

// A socket's address has room for about a hundred characters. Through an open directory any path is short
// enough.
struct Address {
  Descriptor directory;
  sockaddr_un name{};
};

Result<Address> address_of(const std::string& path) {
  const auto slash = path.rfind('/');
  const std::string directory = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const std::string file = slash == std::string::npos ? path : path.substr(slash + 1);
  Address address;
  address.directory = Descriptor(::open(directory.c_str(), O_DIRECTORY | O_PATH | O_CLOEXEC));
  if (!address.directory.is_open()) {
    return failed("cannot open", directory);
  }
  const std::string name = "/proc/self/fd/" + std::to_string(address.directory.number()) + "/" + file;
  address.name.sun_family = AF_UNIX;
  if (name.size() >= sizeof(address.name.sun_path)) {
    return Error{ErrorKind::invalid, "the name of the socket is too long: " + path, {}};
  }
  std::memcpy(address.name.sun_path, name.c_str(), name.size() + 1);
  return address;
}

Result<Descriptor> open_socket() {
  Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket.is_open()) {
    return failed("cannot open", "a socket");
  }
  return socket;
}

const sockaddr* general(const Address& address) {
  return reinterpret_cast<const sockaddr*>(&address.name);
}

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

void Descriptor::close() {
  if (is_open()) {
    ::close(std::exchange(number_, -1));
  }
}

Result<Descriptor> listen_at(const std::string& path) {
  WAYBILL_TRY_ASSIGN(const auto address, address_of(path));
  WAYBILL_TRY_ASSIGN(auto socket, open_socket());
  ::unlink(path.c_str());
  // The mode of the descriptor is that of the file from its first moment on.
  const bool ready = ::fchmod(socket.number(), S_IRUSR | S_IWUSR) == 0 &&
                     ::bind(socket.number(), general(address), sizeof(address.name)) == 0 &&
                     ::chmod(path.c_str(), S_IRUSR | S_IWUSR) == 0 &&
                     ::listen(socket.number(), waiting_max) == 0;
  if (!ready) {
    return failed("cannot listen at", path);
  }
  return socket;
}

Result<Descriptor> connect_to(const std::string& path) {
  WAYBILL_TRY_ASSIGN(const auto address, address_of(path));
  WAYBILL_TRY_ASSIGN(auto socket, open_socket());
  if (::connect(socket.number(), general(address), sizeof(address.name)) != 0) {
    return failed("cannot reach", path);
  }
  return socket;
}

bool send_all(const Descriptor& socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto sent = ::send(socket.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) {
      continue;
    }
    if (sent <= 0) {
      return false;
    }
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

std::optional<std::string> LineReader::next() {
  for (;;) {
    if (const auto end = buffer_.find('\n'); end != std::string::npos) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      return line;
    }
    char bytes[4096];
    const auto received = ::recv(socket_.number(), bytes, sizeof(bytes), 0);
    if (received < 0 && errno == EINTR) {
      continue;
    }
    if (received <= 0 || buffer_.size() > line_bytes_max) {
      return std::nullopt;
    }
    buffer_.append(bytes, static_cast<std::size_t>(received));
  }
}

}  // namespace waybill::control
