// The part of Connection that makes requests out of bytes.
#include <algorithm>
#include <exception>
#include <utility>

#include "base/log.h"
#include "http/connection.h"

namespace waybill::http {
namespace {

// A body is given memory as it arrives, not as it is announced, beyond this.
constexpr std::size_t body_step_bytes = 256 * 1024;

// Points `view` to the same bytes at their new place, where it lies in `from`.
void carry_over(std::string_view& view, std::string_view from, const char* to) {
  if (view.data() >= from.data() && view.data() <= from.data() + from.size()) {
    view = {to + (view.data() - from.data()), view.size()};
  }
}

void carry_over(Request& request, std::string_view from, const char* to) {
  carry_over(request.method, from, to);
  carry_over(request.target, from, to);
  carry_over(request.path, from, to);
  carry_over(request.query, from, to);
  for (Header& header : request.headers) {
    carry_over(header.name, from, to);
    carry_over(header.value, from, to);
  }
}

Response plain_error(int status, std::string_view reason) {
  Response response;
  response.status = status;
  response.content_type = "text/plain; charset=utf-8";
  response.body.append(reason).append("\n");
  return response;
}

const Refusal no_memory{503, "the server has too many requests in memory"};

}  // namespace

Connection::Next Connection::step_head() {
  if (!skipped_empty_line_ && buffer_.view().starts_with("\r\n")) {
    skipped_empty_line_ = true;  // RFC 9112, 2.2: one is to be ignored
    buffer_.consume(2);
    head_bytes_ = 0;
  }
  const HeadEnd end = find_head_end(buffer_.view(), head_bytes_);
  const std::size_t head_bytes_max = thread_->state().options.header_bytes_max;
  if (end == HeadEnd::bare_line_feed) {
    return refuse({400, "a line ends with a bare line feed"});
  }
  if (head_bytes_ > head_bytes_max) {
    return refuse({431, "the headers are too long"});
  }
  if (end == HeadEnd::incomplete) {
    return wait_for_head();
  }
  const Refusal refusal = parse_head(buffer_.view().substr(0, head_bytes_),
                                     thread_->state().options.headers_max, request_, framing_);
  return refusal ? refuse(refusal) : begin_body();
}

Connection::Next Connection::wait_for_head() {
  if (buffer_.empty()) {
    return thread_->stopping() ? Next::end : Next::bytes;
  }
  if (state_ == State::idle) {
    state_ = State::head;
    since_ms_ = thread_->steady_ms();
  }
  if (buffer_.room_bytes() == 0) {
    if (!grow(std::max(buffer_.size() * 2, ReceiveBuffer::initial_bytes))) {
      return refuse(no_memory);
    }
  }
  return Next::bytes;
}

Connection::Next Connection::begin_body() {
  head_only_ = request_.method == "HEAD";
  if (const auto opened = open_upload()) {
    return *opened;
  }
  if (framing_.coding == ContentCoding::unsupported) {
    return refuse({415, "Content-Encoding is not supported"});
  }
  if (framing_.content_length > thread_->state().options.body_bytes_max) {
    return refuse({413, "the body is too large"});
  }
  state_ = State::body;
  body_bytes_received_ = buffer_.size() - head_bytes_;
  if (framing_.chunked) {
    chunked_ = ChunkedDecoder();
    chunked_cursor_ = {head_bytes_, head_bytes_};
    chunked_bytes_left_ = thread_->state().options.body_bytes_max;
  } else if (body_bytes_received_ >= framing_.content_length) {
    return step_sized_body();
  }
  since_ms_ = thread_->steady_ms();
  if (framing_.expect_continue && !framing_.http_1_0 && body_bytes_received_ == 0) {
    thread_->out.append("HTTP/1.1 100 Continue\r\n\r\n");
  }
  return step_body();
}

Connection::Next Connection::step_body() {
  return framing_.chunked ? step_chunked_body() : step_sized_body();
}

Connection::Next Connection::step_sized_body() {
  const std::size_t request_bytes = head_bytes_ + framing_.content_length;
  if (buffer_.size() >= request_bytes) {
    return finish_body(framing_.content_length, request_bytes);
  }
  const std::size_t reach = buffer_.size() + buffer_.room_bytes();
  if (buffer_.room_bytes() == 0 || reach < std::min(request_bytes, body_step_bytes)) {
    const std::size_t capacity = std::min(request_bytes, std::max(buffer_.size() * 2, body_step_bytes));
    if (!grow(capacity)) {
      return refuse(no_memory);
    }
  }
  return Next::bytes;
}

Connection::Next Connection::step_chunked_body() {
  switch (chunked_.decode(buffer_.data(), buffer_.size(), chunked_cursor_, chunked_bytes_left_)) {
    case ChunkedDecoder::Outcome::bad:
      return refuse({400, "the chunked body is malformed"});
    case ChunkedDecoder::Outcome::too_large:
      return refuse({413, "the body is too large"});
    case ChunkedDecoder::Outcome::done:
      return finish_body(chunked_cursor_.write - head_bytes_, chunked_cursor_.read);
    case ChunkedDecoder::Outcome::more:
      break;
  }
  // Everything received is decoded, so the bytes behind the content are free.
  buffer_.move_down(chunked_cursor_.read, chunked_cursor_.write);
  chunked_cursor_.read = chunked_cursor_.write;
  if (buffer_.room_bytes() == 0 && !grow(std::max(buffer_.size() * 2, body_step_bytes / 4))) {
    return refuse(no_memory);
  }
  return Next::bytes;
}

Connection::Next Connection::finish_body(std::size_t body_bytes, std::size_t request_bytes) {
  request_bytes_ = request_bytes;
  request_.raw_body = buffer_.view().substr(head_bytes_, body_bytes);
  request_.body = request_.raw_body;
  if (framing_.coding != ContentCoding::identity && body_bytes > 0) {
    const std::size_t bytes_max = thread_->state().options.body_bytes_max;
    if (Refusal refusal = thread_->coder().decode(framing_.coding, request_.raw_body, bytes_max, decoded_)) {
      return refuse(refusal);
    }
    if (!charge(charged_bytes_ + decoded_.allocated_bytes)) {
      return refuse(no_memory);
    }
    request_.body = decoded_.view();
  }
  return handle();
}

Connection::Next Connection::handle() {
  request_.peer = peer_;
  state_ = State::handling;
  answered_ = false;
  in_handler_ = true;
  try {
    thread_->state().handler(request_, Responder(shared_from_this()));
  } catch (const std::exception& exception) {
    log_error(std::string("http: a handler threw: ") + exception.what());
  }
  in_handler_ = false;
  if (!answered_) {
    thread_->note_handed_over();
  }
  return step();
}

Connection::Next Connection::refuse(Refusal refusal) {
  const ErrorRenderer& render = thread_->state().options.render_error;
  Response response =
      render ? render(refusal.status, refusal.reason) : plain_error(refusal.status, refusal.reason);
  response.close = true;
  if (refusal.status == 503) {
    response.headers.emplace_back("Retry-After", "1");
  }
  head_only_ = false;
  framing_ = Framing{};
  request_bytes_ = buffer_.size();
  return write_answer(std::move(response));
}

bool Connection::grow(std::size_t capacity) {
  if (!charge(capacity > ReceiveBuffer::initial_bytes ? capacity : 0)) {
    return false;
  }
  const std::string_view before = buffer_.view();
  const auto old_memory = buffer_.reallocate(capacity);
  if (state_ == State::body) {
    carry_over(request_, before, buffer_.data());
  }
  return true;
}

// Counts `bytes` as the memory this connection's request takes, in place of what was counted before.
bool Connection::charge(std::size_t bytes) {
  std::atomic<std::size_t>& total = thread_->state().bodies_bytes;
  if (bytes > charged_bytes_) {
    const std::size_t more = bytes - charged_bytes_;
    if (total.fetch_add(more, std::memory_order_relaxed) + more > thread_->state().options.bodies_bytes_max) {
      total.fetch_sub(more, std::memory_order_relaxed);
      return false;
    }
  } else if (bytes < charged_bytes_) {
    total.fetch_sub(charged_bytes_ - bytes, std::memory_order_relaxed);
  }
  charged_bytes_ = bytes;
  return true;
}

}  // namespace waybill::http
