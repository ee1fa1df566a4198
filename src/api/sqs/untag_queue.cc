#include <utility>

#include "api/sqs/operations.h"
#include "api/sqs/parameters.h"

namespace waybill::api::sqs {
namespace {

struct Request {
  std::string queue;
  std::vector<std::string> keys;
};

Result<Request> parse(const Call& call, const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  const auto url = fields.string("QueueUrl");
  const auto keys = fields.strings("TagKeys");
  WAYBILL_TRY(reading.status());
  WAYBILL_TRY_ASSIGN(const auto queue, find_queue(call, url));
  if (!keys || keys->empty()) {
    return missing_parameter("TagKeys");
  }
  return Request{queue->name, {keys->begin(), keys->end()}};
}

Result<queue::Queue> decide(queue::Queue queue, const std::vector<std::string>& keys) {
  for (const auto& key : keys) {
    queue.tags.erase(key);
  }
  return queue;
}

}  // namespace

void untag_queue(Call call, const json::Value& body) {
  auto request = parse(call, body);
  if (!request) {
    call.fail(request.error());
    return;
  }
  call.queues().change(
      request->queue,
      [keys = std::move(request->keys)](const queue::Queue& current) { return decide(current, keys); },
      answer_empty_with(std::move(call)));
}

}  // namespace waybill::api::sqs
