#include "api/jobs/body.h"
#include "api/jobs/operations.h"
#include "job/replay.h"

namespace waybill::api::jobs {
namespace {

Result<job::ReplayManyRequest> parse(const Call& call, const Input& input) {
  job::ReplayManyRequest request;
  request.subject = call.subject();
  Body body(input, call.subject().record());
  request.author = call.target(body.why()).author;
  request.count_max = static_cast<uint32_t>(body.integer("max", 1, job::replay_count_max).value_or(100));
  WAYBILL_TRY(body.status());
  return request;
}

http::Response render(const Call& /*call*/, const job::Replayed& replayed) {
  auto response = json_response();
  json::Writer writer(response.body);
  writer.begin_object().key("replayed").integer(replayed.count);
  writer.key("dropped").integer(replayed.dropped).end_object();
  return response;
}

void run(Call call, const Input& input) {
  auto request = parse(call, input);
  if (!request) {
    call.fail(request.error());
    return;
  }
  const auto& jobs = call.jobs();
  job::replay_many(jobs, *std::move(request), answer_with<job::Replayed>(std::move(call), render));
}

}  // namespace

const Operation replay_many{
    "replay_many",
    "POST",
    Path::Shape::records,
    "replay",
    run,
    Needs::dead_letters,
    {"Puts records whose messages are in the dead-letter queue back to work, from the oldest on.", "",
     R"({"type":"object","additionalProperties":false,"properties":{"max":{"type":"integer","minimum":1,)"
     R"("maximum":1000,"default":100},"why":{"type":"string","maxLength":4096}}})",
     "200",
     R"({"type":"object","required":["replayed","dropped"],"properties":{"replayed":{"type":"integer"},)"
     R"("dropped":{"type":"integer"}}})"}};

}  // namespace waybill::api::jobs
