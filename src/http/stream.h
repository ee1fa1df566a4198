#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace waybill::http {

class Connection;
class StreamBuffer;

struct StreamOptions {
  std::size_t unsent_bytes_max =
      256 * 1024;         // that may wait for the client; one that lets more wait is closed
  std::string idle_text;  // sent where nothing else was for idle_ms; empty: nothing is
  int64_t idle_ms = 15'000;
  // How long the body will be. Absent: it is sent in chunks. A body that ends before is seen by the client as
  // cut short.
  std::optional<uint64_t> content_length = {};
  // Called on the connection's thread each time that all that was written is on its way: time to write more.
  // It must not block. Empty: nobody is told. It is destroyed once nothing more can be written.
  std::function<void()> on_drained = {};
};

// The body of an answer that is written bit by bit: of a known length, or in chunks, or, to clients of
// HTTP/1.0, up to the close. Movable, not copyable; destroyed it ends the body.
//
// Thread safety: one thread at a time, any thread. Nothing here blocks.
class Stream {
 public:
  Stream() = default;
  Stream(std::shared_ptr<Connection> connection, std::shared_ptr<StreamBuffer> buffer);
  Stream(Stream&&) noexcept = default;
  Stream& operator=(Stream&& other) noexcept;
  ~Stream();

  explicit operator bool() const { return connection_ != nullptr; }

  // Hands over more of the body. False where nobody takes it any more: the client has gone, the server has
  // stopped, or more waits than may. Then the connection is closed, and the stream is of no use.
  bool write(std::string_view bytes) { return give(std::string(bytes)); }
  // The same of bytes that need not be copied.
  bool give(std::string bytes);

  // What a piece before was, once it is sent, or an empty string: memory for the next one, whatever is in it.
  std::string spare();

  // The body is whole. The handle is empty afterwards.
  void end();

 private:
  std::shared_ptr<Connection> connection_;  // null: no stream
  std::shared_ptr<StreamBuffer> buffer_;
};

}  // namespace waybill::http
