#include <algorithm>
#include <utility>

#include "api/sqs/operations.h"
#include "api/sqs/parameters.h"
#include "queue/settings.h"

namespace waybill::api::sqs {
namespace {

constexpr Bounds rate_bounds{1, 500};

Error no_such_resource(std::string_view parameter) {
  return Error{
      ErrorKind::not_found,
      "The resource that you specified for the " + std::string(parameter) + " parameter doesn't exist.",
      {}};
}

Result<queue::QueuePtr> find_by_arn(const Call& call, std::string_view arn, std::string_view parameter) {
  const auto name = queue::name_in_arn(arn);
  WAYBILL_TRY(call.queues().may_know(name));
  auto found = name.empty() ? nullptr : call.queues().find(name);
  if (found == nullptr) {
    return no_such_resource(parameter);
  }
  return found;
}

bool is_dead_letter_queue(const store::Queues& queues, std::string_view name) {
  return std::ranges::any_of(queues.all(), [name](const queue::QueuePtr& queue) {
    return queue->settings.redrive && queue->settings.redrive->target == name;
  });
}

Status check_destination(const queue::Queue& source, const queue::Queue& destination) {
  if (destination.name == source.name) {
    return invalid("Source queue arn and destination queue arn cannot be the same.");
  }
  if (destination.settings.is_fifo != source.settings.is_fifo) {
    return invalid("Source and destination queue must be of the same type.");
  }
  return {};
}

// Without a destination messages go back to the queues that gave them up, which may be any.
Status check_allowed(const Call& call, const redrive::NewMoveTask& task) {
  const auto& policy = call.principal().policy();
  WAYBILL_TRY(call.check(access::Verb::admin, task.source));
  if (policy != nullptr && task.destination.empty() && !policy->may_use_all_queues(access::Verb::write)) {
    return store::access_denied("queue/*");
  }
  return task.destination.empty() ? Status() : call.check(access::Verb::write, task.destination);
}

Result<redrive::NewMoveTask> parse(const Call& call, const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  const auto source_arn = fields.string("SourceArn");
  const auto destination_arn = fields.string("DestinationArn");
  const auto rate = fields.integer("MaxNumberOfMessagesPerSecond");
  WAYBILL_TRY(reading.status());
  WAYBILL_TRY_ASSIGN(const auto arn, required(source_arn, "SourceArn"));
  WAYBILL_TRY(check_bounds("MaxNumberOfMessagesPerSecond", rate, rate_bounds,
                           "Must be an integer between 1 and 500, if provided."));
  WAYBILL_TRY_ASSIGN(const auto source, find_by_arn(call, arn, "SourceArn"));
  if (!is_dead_letter_queue(call.queues(), source->name)) {
    return invalid("Source queue must be configured as a Dead Letter Queue.");
  }
  redrive::NewMoveTask task;
  task.source = source->name;
  task.rate_per_second = rate;
  task.started_by = call.principal().access_key_id();
  if (destination_arn && !destination_arn->empty()) {
    WAYBILL_TRY_ASSIGN(const auto destination, find_by_arn(call, *destination_arn, "DestinationArn"));
    WAYBILL_TRY(check_destination(*source, *destination));
    task.destination = destination->name;
  }
  WAYBILL_TRY(check_allowed(call, task));
  return task;
}

}  // namespace

void start_message_move_task(Call call, const json::Value& body) {
  auto task = parse(call, body);
  if (task && call.services().move_tasks == nullptr) {
    task = Error{ErrorKind::unsupported, "This server does not move messages.", {}};
  }
  if (!task) {
    call.fail(task.error());
    return;
  }
  auto& tasks = *call.services().move_tasks;
  tasks.start(*std::move(task),
              answer_with<std::string>(std::move(call), [](Call back, const std::string& handle) {
                auto answer = back.begin_answer();
                answer.text("TaskHandle", handle);
                back.answer(std::move(answer));
              }));
}

}  // namespace waybill::api::sqs
