#include <algorithm>

#include "api/sqs/operations.h"
#include "api/sqs/parameters.h"

namespace waybill::api::sqs {
namespace {

constexpr int64_t queues_listed_max = 1000;

struct Request {
  queue::QueuePtr queue;
  std::string after;
  std::size_t limit = queues_listed_max;
};

Result<Request> parse(const Call& call, const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  const auto url = fields.string("QueueUrl");
  const auto token = fields.string("NextToken");
  const auto results_max = fields.integer("MaxResults");
  WAYBILL_TRY(reading.status());
  WAYBILL_TRY(check_bounds("MaxResults", results_max, {1, queues_listed_max},
                           "MaxResults must be an integer between 1 and 1000."));
  Request request;
  request.limit = static_cast<std::size_t>(results_max.value_or(queues_listed_max));
  WAYBILL_TRY_ASSIGN(request.after, read_page_token(token));
  WAYBILL_TRY_ASSIGN(request.queue, find_queue(call, url));
  return request;
}

// Names, in order, of the queues that give up their messages to `target`.
std::vector<std::string> sources_of(const store::Queues& queues, std::string_view target) {
  std::vector<std::string> names;
  for (const auto& queue : queues.all()) {
    const auto& redrive = queue->settings.redrive;
    if (redrive && redrive->target == target) {
      names.push_back(queue->name);
    }
  }
  std::ranges::sort(names);
  return names;
}

Result<Answer> answer(const Call& call, const json::Value& body) {
  WAYBILL_TRY_ASSIGN(const auto request, parse(call, body));
  const auto names = sources_of(call.queues(), request.queue->name);
  auto at = std::ranges::upper_bound(names, request.after);
  std::vector<std::string> urls;
  for (; at != names.end() && urls.size() < request.limit; ++at) {
    urls.push_back(call.queue_url(*at));
  }
  auto answer = call.begin_answer();
  answer.texts({"queueUrls", "QueueUrl"}, urls);
  if (at != names.end()) {
    answer.text("NextToken", page_token(*std::prev(at)));
  }
  return answer;
}

}  // namespace

void list_dead_letter_source_queues(Call call, const json::Value& body) {
  auto result = answer(call, body);
  call.answer(std::move(result));
}

}  // namespace waybill::api::sqs
