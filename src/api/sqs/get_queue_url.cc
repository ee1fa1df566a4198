#include "api/sqs/operations.h"
#include "api/sqs/parameters.h"

namespace waybill::api::sqs {
namespace {

Result<Answer> answer(const Call& call, const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  const auto given = fields.string("QueueName");
  WAYBILL_TRY(reading.status());
  WAYBILL_TRY_ASSIGN(const auto name, required(given, "QueueName"));
  WAYBILL_TRY(call.queues().may_know(name));
  if (call.queues().find(name) == nullptr) {
    return Error{ErrorKind::queue_not_found, "", {}};
  }
  auto answer = call.begin_answer();
  answer.text("QueueUrl", call.queue_url(name));
  return answer;
}

}  // namespace

void get_queue_url(Call call, const json::Value& body) {
  auto result = answer(call, body);
  call.answer(std::move(result));
}

}  // namespace waybill::api::sqs
