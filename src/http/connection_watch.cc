// The part of Connection that notices a client that goes away before it is answered.
#include <sys/socket.h>

#include <cerrno>
#include <utility>

#include "base/check.h"
#include "http/connection.h"

namespace waybill::http {

void Connection::watch(UniqueFunction<void()> on_gone) {
  WAYBILL_CHECK(thread_->is_current());
  on_gone_ = std::move(on_gone);
  if (thread_->stopping() || state_ == State::closed) {
    tell_watcher();
  } else if (!in_handler_) {
    start_watch();
  }
}

// In a task, because a connection may close in the midst of its work.
void Connection::tell_watcher() {
  if (on_gone_) {
    thread_->push(make_task(std::exchange(on_gone_, {})).release());
  }
}

// A wait that is left over from an earlier request serves this one as well.
void Connection::start_watch() {
  if (watching_) {
    return;
  }
  watching_ = true;
  socket_.async_wait(Socket::wait_read,
                     [self = shared_from_this()](const ErrorCode& error) { self->on_watch(error); });
}

void Connection::on_watch(const ErrorCode& error) {
  watching_ = false;
  if ((state_ != State::handling && state_ != State::streaming) || !on_gone_) {
    return;
  }
  switch (error == asio::error::operation_aborted ? Sign::none : look_at_client()) {
    case Sign::none:
      start_watch();
      break;
    case Sign::gone:
      close();
      break;
    case Sign::more_bytes:  // they stand before whatever else could be seen
      break;
  }
}

// Takes nothing of what the client has sent: that is the next request's.
Connection::Sign Connection::look_at_client() {
  char byte = 0;
  ssize_t count = 0;
  do {
    count = ::recv(socket_.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  } while (count < 0 && errno == EINTR);
  if (count > 0) {
    return Sign::more_bytes;
  }
  const bool nothing_yet = count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
  return nothing_yet ? Sign::none : Sign::gone;
}

}  // namespace waybill::http
