#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include "base/unique_function.h"
#include "http/message.h"
#include "http/stream.h"
#include "http/task.h"

namespace waybill::http {

class Connection;

// The thread of a connection, for work that should be done there.
//
// Thread safety: any thread, several at once.
class Executor {
 public:
  explicit Executor(std::shared_ptr<Connection> connection) : connection_(std::move(connection)) {}

  // Runs `work`, never inside this call. Where the server has stopped, it is destroyed without being run.
  template <typename Work>
  void post(Work work) const {
    post_task(make_task(std::move(work)));
  }

 private:
  void post_task(std::unique_ptr<Task> task) const;

  std::shared_ptr<Connection> connection_;
};

// The duty to answer one request. Movable, not copyable; destroyed unsent it answers 500.
//
// Thread safety: one thread at a time, any thread. send() ends the life of the Request's views. An answer
// for a client that has gone away, or for a server that has stopped, is dropped silently.
class Responder {
 public:
  Responder() = default;
  explicit Responder(std::shared_ptr<Connection> connection) : connection_(std::move(connection)) {}
  Responder(Responder&&) noexcept = default;
  Responder& operator=(Responder&& other) noexcept;
  ~Responder();

  // Whether this handle still owes an answer.
  explicit operator bool() const { return connection_ != nullptr; }

  // Answers the request. Called exactly once; the handle is empty afterwards.
  void send(Response response);

  // Answers with `head` (its body is left out) and with what is written to the stream from then on. Called in
  // place of send(); the same holds for it. A watch goes on until the stream has ended.
  [[nodiscard]] Stream send_stream(Response head, StreamOptions options = {});

  // Asks to be told where nobody waits for the answer any more: the client has closed its side of the
  // connection, or the server has begun to stop and wants requests to end. `on_gone` is called at most once,
  // in a task of its own on the connection's thread, and may come while an answer is on its way. It is
  // destroyed without being called where the request is answered first. The answer is owed all the same.
  //
  // A client that sends more before it is answered is not watched any longer, but for the server's stop. Only
  // on the connection's thread: in the handler, or in work that was posted.
  void watch(UniqueFunction<void()> on_gone);

  Executor executor() const { return Executor(connection_); }

  // Runs `work` on the connection's thread, never inside this call. `work` takes no argument, or takes this
  // Responder:
  //   responder.post([](Responder responder) { responder.send(...); });   // this handle is empty afterwards
  //   responder.post([] { ... });                                          // this handle stays
  // The second form may be called by several threads at once.
  // Do not capture the handle by move in the second form: it would be gone before post() is entered.
  // Where the server has stopped, `work` is destroyed without being run.
  template <typename Work>
  void post(Work work);

 private:
  void post_task(std::unique_ptr<Task> task);

  std::shared_ptr<Connection> connection_;  // null once sent or moved from
};

template <typename Work>
void Responder::post(Work work) {
  if constexpr (std::is_invocable_v<Work&, Responder>) {
    Responder on_thread(connection_);
    auto with_responder = [work = std::move(work), self = std::move(*this)]() mutable {
      work(std::move(self));
    };
    on_thread.post_task(make_task(std::move(with_responder)));
    on_thread.connection_.reset();
  } else {
    post_task(make_task(std::move(work)));
  }
}

}  // namespace waybill::http
