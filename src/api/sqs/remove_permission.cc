#include <utility>

#include "api/sqs/operations.h"
#include "api/sqs/parameters.h"
#include "queue/policy.h"

namespace waybill::api::sqs {
namespace {

struct Request {
  std::string queue;
  std::string label;
};

Result<Request> parse(const Call& call, const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  const auto url = fields.string("QueueUrl");
  const auto label = fields.string("Label");
  WAYBILL_TRY(reading.status());
  Request request;
  WAYBILL_TRY_ASSIGN(const auto queue, find_queue(call, url));
  request.queue = queue->name;
  WAYBILL_TRY_ASSIGN(request.label, required(label, "Label"));
  return request;
}

Result<queue::Queue> decide(queue::Queue queue, std::string_view label, int64_t now_ms) {
  WAYBILL_TRY_ASSIGN(auto policy, queue::remove_permission(queue.attributes["Policy"], label));
  if (policy.empty()) {
    queue.attributes.erase("Policy");
  } else {
    queue.attributes["Policy"] = std::move(policy);
  }
  queue.changed_ms = now_ms;
  return queue;
}

}  // namespace

void remove_permission(Call call, const json::Value& body) {
  auto request = parse(call, body);
  if (!request) {
    call.fail(request.error());
    return;
  }
  const int64_t now_ms = call.services().clock.wall_ms();
  call.queues().change(
      request->queue,
      [label = std::move(request->label), now_ms](const queue::Queue& current) {
        return decide(current, label, now_ms);
      },
      answer_empty_with(std::move(call)));
}

}  // namespace waybill::api::sqs
