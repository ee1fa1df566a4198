#include "job/step.h"

#include "api/jobs/body.h"
#include "api/jobs/operations.h"

namespace waybill::api::jobs {
namespace {

Result<job::StepRequest> parse(const Call& call, const Input& input) {
  job::StepRequest request;
  request.target = call.target();
  Body body(input, call.subject().record());
  request.lease = body.required_text("lease");
  request.step = body.step("step");
  request.patch = body.patch("fields");
  for (auto& [counter, amount] : body.numbers("spend")) {
    request.spend.insert_or_assign(std::move(counter), std::move(amount));
  }
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
  job::step(jobs, *std::move(request), answer_with<job::Changed>(std::move(call), changed_response));
}

}  // namespace

const Operation step{
    "step",
    "POST",
    Path::Shape::record,
    "step",
    run,
    Needs::steps,
    {"Notes that a step is done; one that was noted before changes nothing.", "",
     R"({"type":"object","additionalProperties":false,"required":["lease","step"],"properties":{"lease":{"type":"string"},)"
     R"("step":{"type":["integer","string"]},"spend":{"type":"object","additionalProperties":{"type":"number"}},"fields":{"$ref":"#/components/schemas/@.patch"}}})",
     "200", R"({"$ref":"#/components/schemas/@"})"}};

}  // namespace waybill::api::jobs
