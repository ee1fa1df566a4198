#include "http/responder.h"

#include "base/check.h"
#include "http/connection.h"

namespace waybill::http {
namespace {

Response unsent_answer() {
  Response response;
  response.status = 500;
  response.content_type = "text/plain; charset=utf-8";
  response.body = "the request was not answered\n";
  return response;
}

}  // namespace

Responder& Responder::operator=(Responder&& other) noexcept {
  if (this != &other) {
    if (connection_ != nullptr) {
      send(unsent_answer());
    }
    connection_ = std::move(other.connection_);
  }
  return *this;
}

Responder::~Responder() {
  if (connection_ != nullptr) {
    send(unsent_answer());
  }
}

void Responder::send(Response response) {
  WAYBILL_CHECK(connection_ != nullptr);
  const std::shared_ptr<Connection> connection = std::move(connection_);
  connection->answer(std::move(response));
}

Stream Responder::send_stream(Response head, StreamOptions options) {
  WAYBILL_CHECK(connection_ != nullptr);
  std::shared_ptr<Connection> connection = std::move(connection_);
  auto buffer = std::make_shared<StreamBuffer>(std::move(options));
  connection->answer(std::move(head), buffer);
  return {std::move(connection), std::move(buffer)};
}

void Responder::watch(UniqueFunction<void()> on_gone) {
  WAYBILL_CHECK(connection_ != nullptr);
  connection_->watch(std::move(on_gone));
}

void Responder::post_task(std::unique_ptr<Task> task) {
  WAYBILL_CHECK(connection_ != nullptr);
  connection_->thread().push(task.release());
}

void Executor::post_task(std::unique_ptr<Task> task) const {
  connection_->thread().push(task.release());
}

}  // namespace waybill::http
