#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace waybill::http {

struct Answer {
  int status = 0;  // 0 where the connection ended before a whole answer
  std::map<std::string, std::string> headers;
  std::string body;
};

// A blocking client that sends whatever bytes it is given. Reading gives up after five seconds.
class RawClient {
 public:
  explicit RawClient(uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval patience{5, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    connected_ = ::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0;
  }
  RawClient(RawClient&& other) noexcept
      : socket_(std::exchange(other.socket_, -1)), connected_(other.connected_), received_(other.received_) {}
  RawClient& operator=(RawClient&&) = delete;
  ~RawClient() { close(); }

  bool connected() const { return connected_; }
  int socket() const { return socket_; }

  void close() {
    if (socket_ >= 0) {
      ::close(std::exchange(socket_, -1));
    }
  }

  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count <= 0) {
        return false;
      }
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }

  // Reads one answer; `to_head` where it has no body.
  Answer read(bool to_head = false) {
    std::size_t head_end = 0;
    while ((head_end = received_.find("\r\n\r\n")) == std::string::npos) {
      if (!receive()) {
        return {};
      }
    }
    Answer answer = parse_head(received_.substr(0, head_end + 2));
    received_.erase(0, head_end + 4);
    const auto length = answer.headers.find("Content-Length");
    const std::size_t bytes = to_head || length == answer.headers.end() ? 0 : std::stoul(length->second);
    while (received_.size() < bytes) {
      if (!receive()) {
        return {};
      }
    }
    answer.body = received_.substr(0, bytes);
    received_.erase(0, bytes);
    return answer;
  }

  Answer exchange(std::string_view bytes) {
    send(bytes);
    return read();
  }

  // The next bytes, as many as `expected` has; fewer where no more come.
  std::string read_text(std::string_view expected) {
    while (received_.size() < expected.size() && receive()) {
    }
    std::string text = received_.substr(0, expected.size());
    received_.erase(0, expected.size());
    return text;
  }

  // The content of the next chunk; "" at the last one.
  std::string read_chunk() {
    std::size_t line_end = 0;
    while ((line_end = received_.find("\r\n")) == std::string::npos) {
      if (!receive()) {
        return {};
      }
    }
    const std::size_t size = std::stoul(received_.substr(0, line_end), nullptr, 16);
    const std::string whole = read_text(std::string(line_end + 2 + size + 2, ' '));
    return whole.substr(line_end + 2, size);
  }

  // True where the server closes the connection and sends nothing before.
  bool reads_end() { return received_.empty() && !receive() && received_.empty() && ended_; }

 private:
  bool receive() {
    char bytes[65536];
    const ssize_t count = ::recv(socket_, bytes, sizeof(bytes), 0);
    ended_ = count == 0 || (count < 0 && errno == ECONNRESET);
    if (count <= 0) {
      return false;
    }
    received_.append(bytes, static_cast<std::size_t>(count));
    return true;
  }

  static Answer parse_head(std::string_view head) {
    Answer answer;
    answer.status = std::atoi(std::string(head.substr(9, 3)).c_str());
    head.remove_prefix(head.find("\r\n") + 2);
    while (!head.empty()) {
      const std::string_view line = head.substr(0, head.find("\r\n"));
      head.remove_prefix(line.size() + 2);
      const auto colon = line.find(": ");
      answer.headers.emplace(line.substr(0, colon), line.substr(colon + 2));
    }
    return answer;
  }

  int socket_;
  bool connected_ = false;
  bool ended_ = false;
  std::string received_;
};

inline std::string post(std::string_view body, std::string_view more_headers = "") {
  return "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" +
         std::string(more_headers) + "\r\n" + std::string(body);
}

}  // namespace waybill::http
