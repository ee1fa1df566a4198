#include "http/connection.h"

#include <utility>

namespace waybill::http {
namespace {

constexpr int64_t linger_ms_max = 1'000;
constexpr int64_t idle_memory_ms = 1'000;         // after so long an idle connection gives its memory back
constexpr std::size_t out_bytes_max = 64 * 1024;  // of answers gathered before they are sent

}  // namespace

Connection::Connection(std::shared_ptr<IoThread> thread, Socket socket, std::string peer)
    : thread_(std::move(thread)), socket_(std::move(socket)), peer_(std::move(peer)) {
  ++thread_->state().connection_count;
}

Connection::~Connection() {
  charge(0);
  --thread_->state().connection_count;
}

void Connection::start() {
  since_ms_ = thread_->steady_ms();
  start_read();
}

// Whatever happens meanwhile, no other connection may use the thread's buffer.
void Connection::advance() {
  const bool was_between = std::exchange(thread_->between_connections, false);
  work();
  thread_->between_connections = was_between;
}

// Goes on until it needs bytes, an answer, or the client to take what it was sent. Answers gather in the
// thread's buffer on the way, so those to pipelined requests leave together.
void Connection::work() {
  while (!writing_ && state_ != State::closed) {
    const Next next = step();
    const bool room = thread_->out.size() < out_bytes_max && pending_body_.empty();
    if (next == Next::again && room) {
      continue;
    }
    if (!flush()) {
      return;
    }
    if (next == Next::again) {
      continue;
    }
    if (next == Next::bytes) {
      start_read();
    } else if (next == Next::end) {
      start_linger();
    } else if (on_gone_) {
      start_watch();
    }
    if (state_ == State::streaming) {
      tell_drained();
    }
    return;
  }
}

Connection::Next Connection::step() {
  switch (state_) {
    case State::idle:
    case State::head:
      return step_head();
    case State::body:
      return step_body();
    case State::uploading:
      return step_upload();
    case State::handling:
      if (!answered_) {
        return Next::answer;
      }
      return answer_.stream ? begin_stream(answer_.response) : write_answer(std::move(answer_.response));
    case State::streaming:
      return step_stream();
    case State::ending:
      return Next::end;
    case State::lingering:
      buffer_.consume(buffer_.size());
      return Next::bytes;
    case State::closed:
      break;
  }
  return Next::answer;
}

void Connection::answer(Response response, std::shared_ptr<StreamBuffer> stream) {
  answer_.response = std::move(response);
  answer_.stream = std::move(stream);
  if (thread_->is_current() && in_handler_) {
    answered_ = true;
    return;
  }
  if (thread_->is_current() && thread_->between_connections) {
    on_answer();
    return;
  }
  answer_.owner = shared_from_this();
  thread_->push(&answer_);
}

void Connection::Answer::run() {
  const std::shared_ptr<Connection> self = std::move(owner);
  self->on_answer();
}

void Connection::Answer::drop() {
  const std::shared_ptr<Connection> self = std::move(owner);
  if (stream) {
    stream->give_up();
  }
}

void Connection::on_answer() {
  thread_->note_answered();
  answered_ = true;
  if (state_ == State::closed && answer_.stream) {
    answer_.stream->give_up();
  }
  advance();
}

// A connection without a buffer waits without one: idle clients cost little memory.
void Connection::start_read() {
  if (reading_) {
    return;
  }
  reading_ = true;
  if (buffer_.capacity() == 0) {
    socket_.async_wait(Socket::wait_read,
                       [self = shared_from_this()](const ErrorCode& error) { self->on_readable(error); });
    return;
  }
  socket_.async_read_some(asio::buffer(buffer_.room(), buffer_.room_bytes()),
                          [self = shared_from_this()](const ErrorCode& error, std::size_t count) {
                            self->on_read(error, count);
                          });
}

void Connection::on_readable(const ErrorCode& error) {
  reading_ = false;
  if (state_ == State::closed) {
    return;
  }
  if (error) {
    close();
    return;
  }
  grow(ReceiveBuffer::initial_bytes);
  start_read();
}

void Connection::on_read(const ErrorCode& error, std::size_t count) {
  reading_ = false;
  if (state_ == State::closed) {
    return;
  }
  const bool releasing = std::exchange(releasing_, false);
  if (error == asio::error::operation_aborted && releasing) {
    release_idle_memory();
    start_read();
    return;
  }
  if (error) {
    close();
    return;
  }
  buffer_.commit(count);
  body_bytes_received_ += count;
  advance();
}

void Connection::release_idle_memory() {
  if (state_ == State::idle && buffer_.empty()) {
    buffer_.release();
    request_ = Request{};
  }
}

// Closing at once could make TCP throw away the answer while the client is still sending. So only our side
// is closed, and the client has a moment to close its own.
void Connection::start_linger() {
  ErrorCode ignored;
  socket_.shutdown(Socket::shutdown_send, ignored);
  state_ = State::lingering;
  since_ms_ = thread_->steady_ms();
  buffer_.consume(buffer_.size());
  start_read();
}

bool Connection::body_is_too_slow(int64_t now_ms) const {
  const ServerOptions& options = thread_->state().options;
  const int64_t elapsed_ms = now_ms - since_ms_;
  const int64_t due_bytes = options.body_bytes_per_second_min * elapsed_ms / 1000;
  return elapsed_ms > options.body_grace_ms && static_cast<int64_t>(body_bytes_received_) < due_bytes;
}

void Connection::check_time(int64_t now_ms) {
  const ServerOptions& options = thread_->state().options;
  const int64_t elapsed_ms = now_ms - since_ms_;
  if (writing_) {
    if (now_ms - write_since_ms_ > options.write_timeout_ms) {
      const int64_t due_bytes = options.body_bytes_per_second_min * options.write_timeout_ms / 1000;
      if (static_cast<int64_t>(write_window_bytes_) < due_bytes) {
        close();
        return;
      }
      write_since_ms_ = now_ms;
      write_window_bytes_ = 0;
    }
  } else if (state_ == State::idle) {
    if (elapsed_ms > options.idle_timeout_ms) {
      close();
    } else if (elapsed_ms > idle_memory_ms && buffer_.capacity() != 0 && reading_) {
      releasing_ = true;
      ErrorCode ignored;
      socket_.cancel(ignored);
    }
  } else if (state_ == State::head && elapsed_ms > options.header_timeout_ms) {
    refuse({408, "the headers took too long"});
    advance();
  } else if ((state_ == State::body || (state_ == State::uploading && !upload_paused_)) &&
             body_is_too_slow(now_ms)) {
    upload_.reset();
    refuse({408, "the body came too slowly"});
    advance();
  } else if (state_ == State::streaming) {
    check_stream_time(now_ms);
  } else if (state_ == State::lingering && elapsed_ms > linger_ms_max) {
    close();
  }
}

void Connection::close_if_idle() {
  if (state_ == State::idle && buffer_.empty() && !writing_) {
    close();
  }
}

void Connection::close() {
  if (state_ == State::closed) {
    return;
  }
  state_ = State::closed;
  upload_.reset();
  if (stream_) {
    stream_->give_up();
  }
  // Before that another thread may be putting the answer in; then on_answer() sees to it.
  if (answered_ && answer_.stream) {
    answer_.stream->give_up();
  }
  tell_watcher();
  ErrorCode ignored;
  socket_.close(ignored);
  thread_->out.clear();
  thread_->remove(*this);
}

}  // namespace waybill::http
