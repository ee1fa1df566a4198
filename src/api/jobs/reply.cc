#include "api/jobs/reply.h"

#include "api/jobs/batch_answers.h"

namespace waybill::api::jobs {
namespace {

http::Response unsent_answer() {
  http::Response response;
  response.status = 500;
  return response;
}

}  // namespace

Reply& Reply::operator=(Reply&& other) noexcept {
  if (this != &other) {
    if (batch_) {
      send(unsent_answer());
    }
    responder_ = std::move(other.responder_);
    batch_ = std::move(other.batch_);
    place_ = other.place_;
  }
  return *this;
}

Reply::~Reply() {
  if (batch_) {
    send(unsent_answer());
  }
}

void Reply::send(http::Response response) {
  if (!batch_) {
    responder_.send(std::move(response));
    return;
  }
  const auto batch = std::move(batch_);
  batch->set(place_, std::move(response));
}

void Reply::watch(UniqueFunction<void()> on_gone) {
  if (!batch_) {
    responder_.watch(std::move(on_gone));
  }
}

http::Responder& Reply::responder_of_batch() const {
  return batch_->responder();
}

}  // namespace waybill::api::jobs
