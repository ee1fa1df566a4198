#include "api/sqs/operations.h"
#include "api/sqs/parameters.h"

namespace waybill::api::sqs {
namespace {

Result<Answer> answer(const Call& call, const json::Value& body) {
  WAYBILL_TRY_ASSIGN(const auto queue, find_queue(call, body));
  auto answer = call.begin_answer();
  answer.map(tags_form, queue->tags);
  return answer;
}

}  // namespace

void list_queue_tags(Call call, const json::Value& body) {
  auto result = answer(call, body);
  call.answer(std::move(result));
}

}  // namespace waybill::api::sqs
