#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace waybill::control {

// An open file descriptor; closed with its owner.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(other.number_) { other.number_ = -1; }
  Descriptor& operator=(Descriptor&& other) noexcept;

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  void close();

 private:
  int number_ = -1;
};

// Paths of any length; what is left of an earlier server at `path` goes. The socket is for its owner alone.
Result<Descriptor> listen_at(const std::string& path);
Result<Descriptor> connect_to(const std::string& path);

// False where the other side is gone.
bool send_all(const Descriptor& socket, std::string_view bytes);

// Reads lines off a socket.
class LineReader {
 public:
  explicit LineReader(const Descriptor& socket) : socket_(socket) {}
  // Without its end; nullopt where the other side is gone, or the line is longer than a megabyte.
  std::optional<std::string> next();

 private:
  const Descriptor& socket_;
  std::string buffer_;
};

}  // namespace waybill::control
