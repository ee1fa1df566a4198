#include "api/sqs/operations.h"
#include "api/sqs/parameters.h"

namespace waybill::api::sqs {
namespace {

constexpr int64_t queues_listed_max = 1000;

struct Request {
  std::string prefix;
  std::string after;
  std::optional<int64_t> results_max;
};

Result<Request> parse(const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  Request request;
  request.prefix = fields.string("QueueNamePrefix").value_or("");
  const auto token = fields.string("NextToken");
  request.results_max = fields.integer("MaxResults");
  WAYBILL_TRY(reading.status());
  WAYBILL_TRY(check_bounds("MaxResults", request.results_max, {1, queues_listed_max},
                           "MaxResults must be an integer between 1 and 1000."));
  WAYBILL_TRY_ASSIGN(request.after, read_page_token(token));
  return request;
}

Result<Answer> answer(const Call& call, const json::Value& body) {
  WAYBILL_TRY_ASSIGN(const auto request, parse(body));
  const auto limit = static_cast<std::size_t>(request.results_max.value_or(queues_listed_max));
  auto names = call.queues().names(request.prefix, request.after, limit + 1);
  const bool has_more = names.size() > limit;
  names.resize(has_more ? limit : names.size());
  std::vector<std::string> urls;
  urls.reserve(names.size());
  for (const auto& name : names) {
    urls.push_back(call.queue_url(name));
  }
  auto answer = call.begin_answer();
  answer.texts({"QueueUrls", "QueueUrl"}, urls);
  // Who does not ask for pages gets none.
  if (has_more && request.results_max) {
    answer.text("NextToken", page_token(names.back()));
  }
  return answer;
}

}  // namespace

void list_queues(Call call, const json::Value& body) {
  auto result = answer(call, body);
  call.answer(std::move(result));
}

}  // namespace waybill::api::sqs
