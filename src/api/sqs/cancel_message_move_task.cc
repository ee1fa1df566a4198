#include <algorithm>
#include <utility>

#include "api/sqs/operations.h"
#include "api/sqs/parameters.h"

namespace waybill::api::sqs {
namespace {

constexpr std::size_t tasks_listed_max = 1000;

// Whose task it is, is told by its source. One that cannot be seen does not exist.
Status check_allowed(const Call& call, std::string_view handle) {
  if (call.principal().policy() == nullptr) {
    return {};
  }
  for (const auto& queue : call.queues().all()) {
    const auto tasks = call.services().move_tasks->list(queue->name, tasks_listed_max);
    if (std::ranges::find(tasks, handle, &redrive::MoveTask::handle) != tasks.end()) {
      return call.check(access::Verb::admin, queue->name);
    }
  }
  return Error{ErrorKind::task_not_found, "Task does not exist.", {}};
}

Result<std::string> parse(const Call& call, const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  const auto given = fields.string("TaskHandle");
  WAYBILL_TRY(reading.status());
  WAYBILL_TRY_ASSIGN(const auto handle, required(given, "TaskHandle"));
  if (call.services().move_tasks == nullptr) {
    return Error{ErrorKind::task_not_found, "Task does not exist.", {}};
  }
  WAYBILL_TRY(check_allowed(call, handle));
  return std::string(handle);
}

}  // namespace

void cancel_message_move_task(Call call, const json::Value& body) {
  auto handle = parse(call, body);
  if (!handle) {
    call.fail(handle.error());
    return;
  }
  auto& tasks = *call.services().move_tasks;
  tasks.cancel(*std::move(handle), answer_with<int64_t>(std::move(call), [](Call back, int64_t moved) {
    auto answer = back.begin_answer();
    answer.integer("ApproximateNumberOfMessagesMoved", moved);
    back.answer(std::move(answer));
  }));
}

}  // namespace waybill::api::sqs
