// The part of Connection that puts answers on the wire.
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "http/connection.h"

namespace waybill::http {
namespace {

constexpr std::size_t gzip_bytes_min = 1024;              // smaller answers are not worth compressing
constexpr std::size_t copied_body_bytes_max = 16 * 1024;  // larger bodies are sent from where they are
constexpr std::size_t kept_buffer_bytes_max = 16 * 1024;  // larger receive buffers are given back at once

bool has_body(int status) {
  return status != 204 && status != 304;
}

}  // namespace

Connection::Next Connection::write_answer(Response response) {
  ResponseFrame frame;
  if (framing_.accepts_gzip && response.body.size() >= gzip_bytes_min) {
    std::string compressed = thread_->coder().gzip(response.body);
    if (!compressed.empty()) {
      response.body = std::move(compressed);
      frame.gzipped = true;
    }
  }
  frame.date = thread_->date();
  frame.keep_alive = framing_.keep_alive && !response.close && !thread_->stopping();
  frame.http_1_0 = framing_.http_1_0;
  frame.body = response.body;
  append_response_head(thread_->out, response, frame);
  if (!head_only_ && has_body(response.status)) {
    if (response.body.size() <= copied_body_bytes_max) {
      thread_->out.append(response.body);
    } else {
      pending_body_ = std::move(response.body);
    }
  }
  finish_request();
  state_ = frame.keep_alive ? State::idle : State::ending;
  return Next::again;
}

void Connection::finish_request() {
  buffer_.consume(request_bytes_);
  head_bytes_ = 0;
  request_bytes_ = 0;
  answered_ = false;
  on_gone_ = {};
  skipped_empty_line_ = false;
  since_ms_ = thread_->steady_ms();
  if (charged_bytes_ == 0) {
    return;
  }
  decoded_ = DecodedBody{};
  // A read under way (a request refused for being slow) still writes to the memory.
  if (!reading_ && buffer_.capacity() > kept_buffer_bytes_max &&
      buffer_.size() <= ReceiveBuffer::initial_bytes) {
    buffer_.reallocate(ReceiveBuffer::initial_bytes);
  }
  charge(buffer_.capacity() > ReceiveBuffer::initial_bytes ? buffer_.capacity() : 0);
}

// Sends the answers gathered. False where the client does not take all of them now, or has gone.
bool Connection::flush() {
  std::string& out = thread_->out;
  if (out.empty() && pending_body_.empty()) {
    return true;
  }
  std::size_t sent = 0;
  if (!send_some(out, pending_body_, sent)) {
    close();
    return false;
  }
  const std::size_t all = out.size() + pending_body_.size();
  if (sent < all) {
    const std::string_view unsent = std::string_view(out).substr(std::min(sent, out.size()));
    wait_for_room(unsent, sent - (out.size() - unsent.size()));
  }
  out.clear();
  if (sent < all) {
    return false;
  }
  release_body();
  return true;
}

// It is sent. A stream has use for the memory of its last piece.
void Connection::release_body() {
  std::string sent = std::exchange(pending_body_, {});
  if (stream_ && !sent.empty()) {
    stream_->give_back(std::move(sent));
  }
}

// Sends as much as the socket takes now. False where the connection is broken.
bool Connection::send_some(std::string_view head, std::string_view body, std::size_t& sent) {
  const std::size_t all = head.size() + body.size();
  while (sent < all) {
    const std::string_view head_left = head.substr(std::min(sent, head.size()));
    const std::string_view body_left = body.substr(sent - (head.size() - head_left.size()));
    iovec parts[2] = {{const_cast<char*>(head_left.data()), head_left.size()},
                      {const_cast<char*>(body_left.data()), body_left.size()}};
    msghdr message{};
    message.msg_iov = head_left.empty() ? parts + 1 : parts;
    message.msg_iovlen = head_left.empty() || body_left.empty() ? 1 : 2;
    const ssize_t count = ::sendmsg(socket_.native_handle(), &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count >= 0) {
      sent += static_cast<std::size_t>(count);
    } else if (errno != EINTR) {
      return errno == EAGAIN || errno == EWOULDBLOCK;
    }
  }
  return true;
}

void Connection::wait_for_room(std::string_view unsent_head, std::size_t sent_of_body) {
  pending_.assign(unsent_head);
  pending_body_sent_ = sent_of_body;
  writing_ = true;
  write_since_ms_ = thread_->steady_ms();
  write_window_bytes_ = 0;
  socket_.async_wait(Socket::wait_write,
                     [self = shared_from_this()](const ErrorCode& error) { self->on_writable(error); });
}

void Connection::on_writable(const ErrorCode& error) {
  if (state_ == State::closed) {
    return;
  }
  std::size_t sent = 0;
  const std::string_view body = std::string_view(pending_body_).substr(pending_body_sent_);
  if (error || !send_some(pending_, body, sent)) {
    close();
    return;
  }
  write_window_bytes_ += sent;
  if (sent < pending_.size() + body.size()) {
    const std::size_t of_head = std::min(sent, pending_.size());
    pending_.erase(0, of_head);
    pending_body_sent_ += sent - of_head;
    socket_.async_wait(Socket::wait_write,
                       [self = shared_from_this()](const ErrorCode& again) { self->on_writable(again); });
    return;
  }
  writing_ = false;
  pending_ = std::string();
  release_body();
  since_ms_ = thread_->steady_ms();
  advance();
}

}  // namespace waybill::http
