#include <utility>

#include "api/sqs/operations.h"
#include "api/sqs/parameters.h"

namespace waybill::api::sqs {
namespace {

struct Request {
  std::string queue;
  TextMap tags;
};

Result<Request> parse(const Call& call, const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  const auto url = fields.string("QueueUrl");
  Request request;
  request.tags = read_text_map(fields, "Tags");
  WAYBILL_TRY(reading.status());
  WAYBILL_TRY_ASSIGN(const auto queue, find_queue(call, url));
  request.queue = queue->name;
  if (request.tags.empty()) {
    return missing_parameter("Tags");
  }
  WAYBILL_TRY(with_tags({}, request.tags));
  return request;
}

// The tags have been checked one by one; their number together with those of before has not.
Result<queue::Queue> decide(queue::Queue queue, const TextMap& tags) {
  WAYBILL_TRY_ASSIGN(queue.tags, with_tags(std::move(queue.tags), tags));
  return queue;
}

}  // namespace

void tag_queue(Call call, const json::Value& body) {
  auto request = parse(call, body);
  if (!request) {
    call.fail(request.error());
    return;
  }
  call.queues().change(
      request->queue,
      [tags = std::move(request->tags)](const queue::Queue& current) { return decide(current, tags); },
      answer_empty_with(std::move(call)));
}

}  // namespace waybill::api::sqs
