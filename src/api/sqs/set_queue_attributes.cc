#include <utility>

#include "api/sqs/contract_queue.h"
#include "api/sqs/operations.h"
#include "api/sqs/parameters.h"
#include "queue/settings.h"

namespace waybill::api::sqs {
namespace {

struct Request {
  queue::QueuePtr queue;
  queue::Attributes attributes;
};

Result<Request> parse(const Call& call, const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  const auto url = fields.string("QueueUrl");
  Request request;
  request.attributes = read_text_map(fields, "Attributes");
  WAYBILL_TRY(reading.status());
  WAYBILL_TRY_ASSIGN(request.queue, find_queue(call, url));
  if (request.attributes.empty()) {
    return missing_parameter("Attribute.Name");
  }
  WAYBILL_TRY(check_settings(call, *request.queue, request.attributes));
  return request;
}

// What the queue is to be. Whether it is a FIFO queue was said once and for all when it was made.
Result<queue::Queue> decide(queue::Queue queue, const queue::Attributes& given, int64_t now_ms) {
  const auto fifo = given.find("FifoQueue");
  if (fifo != given.end() && (fifo->second != "true" || !queue.settings.is_fifo)) {
    return queue::unknown_attribute("FifoQueue");
  }
  queue.attributes = queue::with_changes(std::move(queue.attributes), given);
  WAYBILL_TRY_ASSIGN(queue.settings, queue::read_settings(queue.attributes));
  queue.changed_ms = now_ms;
  return queue;
}

// The target's own attributes are those of now: it may be changed or deleted at any later time as well.
Status check_target(const store::Queues& queues, const Request& request, int64_t now_ms) {
  if (!request.attributes.contains("RedrivePolicy")) {
    return {};
  }
  WAYBILL_TRY_ASSIGN(const auto wanted, decide(*request.queue, request.attributes, now_ms));
  const auto& redrive = wanted.settings.redrive;
  return redrive ? queue::check_redrive_target(wanted, queues.find(redrive->target).get()) : Status();
}

}  // namespace

void set_queue_attributes(Call call, const json::Value& body) {
  auto request = parse(call, body);
  const int64_t now_ms = call.services().clock.wall_ms();
  const auto target = request ? check_target(call.queues(), *request, now_ms) : Status(request.error());
  if (!target) {
    call.fail(target.error());
    return;
  }
  call.queues().change(
      request->queue->name,
      [given = std::move(request->attributes), now_ms](const queue::Queue& current) {
        return decide(current, given, now_ms);
      },
      answer_empty_with(std::move(call)));
}

}  // namespace waybill::api::sqs
