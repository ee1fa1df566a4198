#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include "http/responder.h"

namespace waybill::api::jobs {

class BatchAnswers;

// The duty to answer one call: a request, or one of those that came together in a batch. Movable, not
// copyable; destroyed unsent it answers 500.
//
// Thread safety: one thread at a time, any thread.
class Reply {
 public:
  Reply() = default;
  explicit Reply(http::Responder responder) : responder_(std::move(responder)) {}
  Reply(std::shared_ptr<BatchAnswers> batch, std::size_t place) : batch_(std::move(batch)), place_(place) {}
  Reply(Reply&&) noexcept = default;
  Reply& operator=(Reply&& other) noexcept;
  ~Reply();

  // Others wait for this answer to be sent with theirs: it must not be a stream, and must not take long.
  bool is_of_batch() const { return batch_ != nullptr; }

  // Exactly one of these, once.
  void send(http::Response response);
  [[nodiscard]] http::Stream send_stream(http::Response head, http::StreamOptions options) {
    return responder_.send_stream(std::move(head), std::move(options));
  }

  // See http::Responder::watch. Does nothing in a batch.
  void watch(UniqueFunction<void()> on_gone);

  http::Executor executor() const {
    return is_of_batch() ? responder_of_batch().executor() : responder_.executor();
  }

  // Runs work(Reply) on the connection's thread. This handle is empty afterwards.
  template <typename Work>
  void post(Work work);

 private:
  http::Responder& responder_of_batch() const;

  http::Responder responder_;            // of a request of its own
  std::shared_ptr<BatchAnswers> batch_;  // null: it is one
  std::size_t place_ = 0;                // in the batch
};

template <typename Work>
void Reply::post(Work work) {
  if (!is_of_batch()) {
    responder_.post([work = std::move(work)](http::Responder back) mutable { work(Reply(std::move(back))); });
    return;
  }
  http::Responder& responder = responder_of_batch();
  responder.post([work = std::move(work), self = std::move(*this)]() mutable { work(std::move(self)); });
}

}  // namespace waybill::api::jobs
