#include "api/sqs/operations.h"
#include "api/sqs/parameters.h"
#include "queue/settings.h"

namespace waybill::api::sqs {
namespace {

constexpr Bounds results_bounds{1, 10};
constexpr ListForm results_form{"Results", "ListMessageMoveTasksResultEntry"};

void write_task(Answer& answer, const Services& services, const redrive::MoveTask& task) {
  answer.begin_element(results_form);
  // A task that is over cannot be cancelled: its handle is not told.
  if (task.status == redrive::MoveStatus::running) {
    answer.text("TaskHandle", task.handle);
  }
  answer.text("Status", redrive::name_of(task.status)).text("SourceArn", services.queue_arn(task.source));
  if (!task.destination.empty()) {
    answer.text("DestinationArn", services.queue_arn(task.destination));
  }
  if (task.rate_per_second) {
    answer.integer("MaxNumberOfMessagesPerSecond", *task.rate_per_second);
  }
  answer.integer("ApproximateNumberOfMessagesMoved", task.moved);
  if (task.to_move) {
    answer.integer("ApproximateNumberOfMessagesToMove", *task.to_move);
  }
  if (!task.failure_reason.empty()) {
    answer.text("FailureReason", task.failure_reason);
  }
  answer.integer("StartedTimestamp", task.started_ms).end_element(results_form);
}

Result<Answer> answer(const Call& call, const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  const auto given = fields.string("SourceArn");
  const auto results_max = fields.integer("MaxResults");
  WAYBILL_TRY(reading.status());
  WAYBILL_TRY_ASSIGN(const auto arn, required(given, "SourceArn"));
  WAYBILL_TRY(check_bounds("MaxResults", results_max, results_bounds,
                           "Must be an integer between 1 and 10, if provided."));
  const auto source = queue::name_in_arn(arn);
  WAYBILL_TRY(call.queues().may_know(source));
  if (source.empty() || call.queues().find(source) == nullptr) {
    return Error{ErrorKind::not_found,
                 "The resource that you specified for the SourceArn parameter doesn't exist.",
                 {}};
  }
  const auto limit = static_cast<std::size_t>(results_max.value_or(1));
  const auto* tasks = call.services().move_tasks;
  const auto listed = tasks != nullptr ? tasks->list(source, limit) : std::vector<redrive::MoveTask>();
  auto answer = call.begin_answer();
  if (!listed.empty()) {
    answer.begin_list(results_form);
    for (const auto& task : listed) {
      write_task(answer, call.services(), task);
    }
    answer.end_list();
  }
  return answer;
}

}  // namespace

void list_message_move_tasks(Call call, const json::Value& body) {
  auto result = answer(call, body);
  call.answer(std::move(result));
}

}  // namespace waybill::api::sqs
