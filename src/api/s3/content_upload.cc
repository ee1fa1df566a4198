#include "api/s3/content_upload.h"

#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "api/s3/receiver.h"

namespace waybill::api::s3 {
namespace {

constexpr std::size_t waiting_bytes_max = 1 << 20;  // behind this the client has to wait
constexpr std::size_t waiting_bytes_low = 1 << 18;  // and goes on from here

}  // namespace

// Shared by the connection and by the worker that is at it. At most one worker is.
class ContentUpload::State : public std::enable_shared_from_this<State> {
 public:
  State(Call call, ContentPlan plan, http::UploadGate gate)
      : workers_(call.services().workers),
        finish_(plan.finish),
        receiver_(std::in_place, call.buckets(), std::move(plan), call.head().chain),
        call_(std::move(call)),
        gate_(std::move(gate)) {}

  Next take(std::string_view bytes) {
    const std::lock_guard lock(mutex_);
    if (failure_) {
      return Next::enough;
    }
    if (!bytes.empty()) {
      waiting_.append(bytes);
      call_worker();
    }
    is_paused_ = waiting_.size() >= waiting_bytes_max;
    return is_paused_ ? Next::later : Next::more;
  }

  void end(http::Responder responder) {
    const std::lock_guard lock(mutex_);
    call_.set_responder(std::move(responder));
    has_ended_ = true;
    call_worker();
  }

  // Nobody will send the rest. What was written goes on a worker, since removing much takes long.
  void give_up() {
    const std::lock_guard lock(mutex_);
    if (!has_ended_) {
      is_given_up_ = true;
      call_worker();
    }
  }

 private:
  void call_worker() {
    if (!std::exchange(has_worker_, true)) {
      workers_.post([self = shared_from_this()] { self->work(); });
    }
  }

  // Writes what waits until nothing does.
  void work() {
    std::unique_lock lock(mutex_);
    while (!waiting_.empty() && !failure_ && !is_given_up_) {
      std::string bytes = std::exchange(waiting_, {});
      lock.unlock();
      auto taken = receiver_->take(bytes);
      lock.lock();
      if (!taken) {
        failure_ = std::move(taken).error();
        waiting_.clear();  // a client that waits goes on, and is told
        lock.unlock();
        receiver_.reset();  // may take long, and the connection's thread comes by here
        lock.lock();
      }
      if (failure_ || (is_paused_ && waiting_.size() <= waiting_bytes_low)) {
        is_paused_ = false;
        gate_.open();
      }
    }
    if (is_given_up_) {
      lock.unlock();
      receiver_.reset();
      return;  // nobody comes any more
    }
    has_worker_ = false;
    if (has_ended_) {
      lock.unlock();
      conclude();
    }
  }

  // Nobody else is at it any more.
  void conclude() {
    if (failure_) {
      call_.fail(*failure_);
      return;
    }
    auto content = receiver_->finish();
    receiver_.reset();
    if (!content) {
      call_.fail(content.error());
      return;
    }
    finish_(std::move(call_), *std::move(content));
  }

  Workers& workers_;
  const ContentPlan::Finish finish_;
  std::optional<Receiver> receiver_;  // of the worker that is at it
  Call call_;                         // ditto, once the body has ended
  const http::UploadGate gate_;

  std::mutex mutex_;  // guards what follows
  std::string waiting_;
  std::optional<Error> failure_;
  bool has_worker_ = false;
  bool is_paused_ = false;
  bool has_ended_ = false;
  bool is_given_up_ = false;
};

ContentUpload::ContentUpload(Call call, ContentPlan plan, http::UploadGate gate)
    : state_(std::make_shared<State>(std::move(call), std::move(plan), std::move(gate))) {}

ContentUpload::~ContentUpload() {
  state_->give_up();
}

http::Upload::Next ContentUpload::take(std::string_view bytes) {
  return state_->take(bytes);
}

void ContentUpload::finish(http::Responder responder) {
  state_->end(std::move(responder));
}

void ContentUpload::receive_nothing(Call call, ContentPlan plan) {
  Workers& workers = call.services().workers;
  workers.post([call = std::move(call), plan = std::move(plan)]() mutable {
    Receiver receiver(call.buckets(), plan, call.head().chain);
    auto content = receiver.finish();
    if (!content) {
      call.fail(content.error());
      return;
    }
    plan.finish(std::move(call), *std::move(content));
  });
}

}  // namespace waybill::api::s3
