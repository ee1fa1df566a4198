// The part of Connection that hands a body over as it comes.
#include <algorithm>
#include <utility>

#include "http/connection.h"

namespace waybill::http {
namespace {

constexpr std::size_t piece_bytes = 128 * 1024;  // read at once

}  // namespace

void UploadGate::open() const {
  if (const auto connection = connection_.lock()) {
    connection->go_on_with_upload();
  }
}

void Connection::go_on_with_upload() {
  thread_->push(make_task([self = shared_from_this()] { self->on_gate_open(); }).release());
}

// Also where nothing is paused: it may have had enough, and the client may wait for the answer before it
// sends the rest.
void Connection::on_gate_open() {
  if (state_ != State::uploading) {
    return;
  }
  if (std::exchange(upload_paused_, false)) {
    since_ms_ = thread_->steady_ms();
    body_bytes_received_ = 0;
  }
  advance();
}

// Nothing where the request is handled as others are.
std::optional<Connection::Next> Connection::open_upload() {
  const UploadOpener& open = thread_->state().options.open_upload;
  if (!open || (!framing_.chunked && framing_.content_length == 0)) {
    return std::nullopt;
  }
  const auto length = framing_.chunked ? std::nullopt : std::optional<uint64_t>(framing_.content_length);
  auto opening = open(request_, length, UploadGate(shared_from_this()));
  if (opening.refusal) {
    opening.refusal->close = true;
    request_bytes_ = buffer_.size();
    return write_answer(*std::move(opening.refusal));
  }
  if (!opening.upload) {
    return std::nullopt;
  }
  upload_ = std::move(opening.upload);
  upload_bytes_left_ = framing_.content_length;
  return begin_upload();
}

Connection::Next Connection::begin_upload() {
  state_ = State::body;  // views of the head are carried over
  if (buffer_.capacity() < head_bytes_ + piece_bytes &&
      !grow(std::max(buffer_.size(), head_bytes_ + piece_bytes))) {
    upload_.reset();
    return refuse({503, "the server has too many requests in memory"});
  }
  state_ = State::uploading;
  upload_paused_ = false;
  body_bytes_received_ = buffer_.size() - head_bytes_;
  since_ms_ = thread_->steady_ms();
  if (framing_.chunked) {
    chunked_ = ChunkedDecoder();
    chunked_bytes_left_ = SIZE_MAX;
  }
  if (framing_.expect_continue && !framing_.http_1_0 && body_bytes_received_ == 0) {
    thread_->out.append("HTTP/1.1 100 Continue\r\n\r\n");
  }
  return step_upload();
}

Connection::Next Connection::step_upload() {
  if (upload_paused_) {
    return Next::answer;
  }
  return framing_.chunked ? step_chunked_upload() : step_sized_upload();
}

Connection::Next Connection::step_chunked_upload() {
  ChunkedDecoder::Cursor cursor{head_bytes_, head_bytes_};
  const auto outcome = chunked_.decode(buffer_.data(), buffer_.size(), cursor, chunked_bytes_left_);
  if (outcome == ChunkedDecoder::Outcome::bad || outcome == ChunkedDecoder::Outcome::too_large) {
    upload_.reset();
    return refuse({400, "the chunked body is malformed"});
  }
  const bool is_last = outcome == ChunkedDecoder::Outcome::done;
  const auto content = buffer_.view().substr(head_bytes_, cursor.write - head_bytes_);
  return hand_over(content, is_last ? cursor.read : buffer_.size(), is_last);
}

Connection::Next Connection::step_sized_upload() {
  const auto count = std::min<uint64_t>(upload_bytes_left_, buffer_.size() - head_bytes_);
  upload_bytes_left_ -= count;
  return hand_over(buffer_.view().substr(head_bytes_, count), head_bytes_ + count, upload_bytes_left_ == 0);
}

// The head stays at the front of the buffer, and what was taken of the body behind it, up to `taken_end`, is
// let go of.
Connection::Next Connection::hand_over(std::string_view content, std::size_t taken_end, bool is_last) {
  const auto next = upload_->take(content);
  buffer_.move_down(taken_end, head_bytes_);
  if (next == Upload::Next::enough) {
    framing_.keep_alive = false;
    buffer_.move_down(buffer_.size(), head_bytes_);
    return finish_upload();
  }
  if (is_last) {
    return finish_upload();
  }
  // A gate that was opened meanwhile is a task of this thread, and so comes behind this.
  upload_paused_ = next == Upload::Next::later;
  return upload_paused_ ? Next::answer : Next::bytes;
}

Connection::Next Connection::finish_upload() {
  request_bytes_ = head_bytes_;
  state_ = State::handling;
  answered_ = false;
  in_handler_ = true;
  upload_->finish(Responder(shared_from_this()));
  in_handler_ = false;
  upload_.reset();
  if (!answered_) {
    thread_->note_handed_over();
  }
  return step();
}

}  // namespace waybill::http
