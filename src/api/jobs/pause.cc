#include "job/review.h"

#include "api/jobs/body.h"
#include "api/jobs/operations.h"

namespace waybill::api::jobs {
namespace {

Result<job::PauseRequest> parse(const Call& call, const Input& input) {
  job::PauseRequest request;
  request.target = call.target();
  Body body(input, call.subject().record());
  request.lease = body.required_text("lease");
  request.step = body.step("step");
  request.patch = body.patch("fields");
  WAYBILL_TRY(body.status());
  return request;
}

void run(Call call, const Input& input) {
  auto request = parse(call, input);
  if (!request) {
    call.fail(request.error());
    return;
  }
  const auto& jobs = call.jobs();
  job::pause(jobs, *std::move(request), answer_with<job::Changed>(std::move(call), changed_response));
}

}  // namespace

const Operation pause{
    "pause",
    "POST",
    Path::Shape::record,
    "pause",
    run,
    Needs::review,
    {"The step waits for a decision, and the worker is free.", "",
     R"({"type":"object","additionalProperties":false,"required":["lease"],"properties":{"lease":{"type":"string"},)"
     R"("step":{"type":["integer","string"]},"fields":{"$ref":"#/components/schemas/@.patch"}}})",
     "200", R"({"$ref":"#/components/schemas/@"})"}};

}  // namespace waybill::api::jobs
