// The part of Connection that sends answers bit by bit.
#include <algorithm>
#include <charconv>
#include <utility>

#include "http/connection.h"

namespace waybill::http {
namespace {

constexpr std::size_t copied_bytes_max = 16 * 1024;  // larger pieces are sent from where they are

}  // namespace

// The request is done with: its views have ended, and what stands behind it in the buffer waits for the end
// of the stream.
Connection::Next Connection::begin_stream(const Response& response) {
  stream_ = std::move(answer_.stream);
  ResponseFrame frame;
  frame.date = thread_->date();
  const auto& length = stream_->options().content_length;
  framing_.keep_alive =
      framing_.keep_alive && (length || !framing_.http_1_0) && !response.close && !thread_->stopping();
  frame.keep_alive = framing_.keep_alive;
  frame.http_1_0 = framing_.http_1_0;
  frame.streamed = true;
  frame.content_length = length;
  append_response_head(thread_->out, response, frame);
  auto on_gone = std::move(on_gone_);
  finish_request();
  on_gone_ = std::move(on_gone);
  state_ = State::streaming;
  stream_bytes_left_ = length.value_or(0);
  stream_is_drained_ = false;
  if (head_only_) {
    stream_->give_up();
    end_stream();
  }
  return Next::again;
}

Connection::Next Connection::step_stream() {
  auto taken = stream_->take();
  if (taken.overrun) {
    close();
    return Next::answer;
  }
  const bool has_bytes = !taken.bytes.empty();
  if (stream_->options().content_length && taken.bytes.size() > copied_bytes_max) {
    send_piece(std::move(taken.bytes));
  } else {
    append_to_stream(taken.bytes);
  }
  if (!taken.ended) {
    return has_bytes ? Next::again : Next::answer;
  }
  if (!stream_->options().content_length) {
    thread_->out.append(framing_.http_1_0 ? "" : "0\r\n\r\n");
  } else if (stream_bytes_left_ != 0) {
    flush();
    close();
    return Next::answer;
  }
  end_stream();
  return Next::again;
}

// Of a body whose length is known. Nothing of a piece before it waits: this is called when all was sent.
void Connection::send_piece(std::string piece) {
  stream_is_drained_ = false;
  piece.resize(std::min<uint64_t>(piece.size(), stream_bytes_left_));
  stream_bytes_left_ -= piece.size();
  pending_body_ = std::move(piece);
  since_ms_ = thread_->steady_ms();
}

void Connection::append_to_stream(std::string_view bytes) {
  if (bytes.empty()) {
    return;
  }
  std::string& out = thread_->out;
  stream_is_drained_ = false;
  if (stream_->options().content_length) {
    bytes = bytes.substr(0, std::min<uint64_t>(bytes.size(), stream_bytes_left_));
    stream_bytes_left_ -= bytes.size();
    out.append(bytes);
  } else if (framing_.http_1_0) {
    out.append(bytes);
  } else {
    char digits[16];
    const auto end = std::to_chars(digits, digits + sizeof(digits), bytes.size(), 16).ptr;
    out.append(digits, static_cast<std::size_t>(end - digits)).append("\r\n").append(bytes).append("\r\n");
  }
  since_ms_ = thread_->steady_ms();
}

// Nothing of what was written waits here any more.
void Connection::tell_drained() {
  if (!std::exchange(stream_is_drained_, true)) {
    stream_->tell_drained();
  }
}

void Connection::end_stream() {
  stream_->give_up();
  stream_ = nullptr;
  on_gone_ = {};
  since_ms_ = thread_->steady_ms();
  state_ = framing_.keep_alive && !thread_->stopping() ? State::idle : State::ending;
}

void Connection::check_stream_time(int64_t now_ms) {
  const StreamOptions& options = stream_->options();
  if (!options.idle_text.empty() && now_ms - since_ms_ >= options.idle_ms) {
    append_to_stream(options.idle_text);
    advance();
  }
}

// Also while the client does not take what it was sent: that is when too much comes to wait.
void Connection::on_pump() {
  if (state_ != State::streaming) {
    return;
  }
  if (stream_->is_gone()) {
    close();
  } else {
    advance();
  }
}

void Connection::pump() {
  thread_->push(make_task([self = shared_from_this()] { self->on_pump(); }).release());
}

}  // namespace waybill::http
