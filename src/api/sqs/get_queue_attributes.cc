#include <algorithm>
#include <set>
#include <utility>

#include "api/sqs/operations.h"
#include "api/sqs/parameters.h"
#include "queue/settings.h"

namespace waybill::api::sqs {
namespace {

constexpr std::string_view count_prefix = "ApproximateNumberOfMessages";

struct Request {
  queue::QueuePtr queue;
  std::set<std::string, std::less<>> names;

  bool wants(std::string_view name) const { return names.contains("All") || names.contains(name); }
  bool wants_counts() const {
    return names.contains("All") ||
           std::ranges::any_of(names, [](const std::string& name) { return name.starts_with(count_prefix); });
  }
};

Result<Request> parse(const Call& call, const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  const auto url = fields.string("QueueUrl");
  const auto names = fields.strings("AttributeNames");
  WAYBILL_TRY(reading.status());
  Request request;
  WAYBILL_TRY_ASSIGN(request.queue, find_queue(call, url));
  for (const auto name : names.value_or(std::vector<std::string_view>())) {
    if (!queue::is_attribute(name)) {
      return queue::unknown_attribute(name);
    }
    request.names.emplace(name);
  }
  return request;
}

void add_counts(queue::Attributes& attributes, const std::vector<store::QueueStats>& stats) {
  const auto counts = stats.empty() ? store::QueueStats{} : stats.front();
  attributes["ApproximateNumberOfMessages"] = std::to_string(counts.visible);
  attributes["ApproximateNumberOfMessagesNotVisible"] = std::to_string(counts.in_flight);
  attributes["ApproximateNumberOfMessagesDelayed"] = std::to_string(counts.delayed);
}

Answer render(const Call& call, const Request& request, const std::vector<store::QueueStats>& stats) {
  const auto& queue = *request.queue;
  auto attributes = queue::shown_attributes(queue);
  attributes["QueueArn"] = call.services().queue_arn(queue.name);
  attributes["CreatedTimestamp"] = std::to_string(queue.created_ms / 1000);
  attributes["LastModifiedTimestamp"] = std::to_string(queue.changed_ms / 1000);
  add_counts(attributes, stats);
  std::erase_if(attributes, [&request](const auto& attribute) { return !request.wants(attribute.first); });
  auto answer = call.begin_answer();
  answer.map(attributes_form, attributes);
  return answer;
}

}  // namespace

void get_queue_attributes(Call call, const json::Value& body) {
  auto request = parse(call, body);
  if (!request) {
    call.fail(request.error());
    return;
  }
  if (!request->wants_counts()) {
    call.answer(render(call, *request, {}));
    return;
  }
  auto& queues = call.queues();
  auto name = request->queue->name;
  auto done = [call = std::move(call),
               request = *std::move(request)](std::vector<store::QueueStats> stats) mutable {
    Call::resume(std::move(call), [request = std::move(request), stats = std::move(stats)](Call back) {
      auto answer = render(back, request, stats);
      back.answer(std::move(answer));
    });
  };
  queues.stats(std::move(name), std::move(done));
}

}  // namespace waybill::api::sqs
