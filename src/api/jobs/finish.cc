#include "job/finish.h"

#include "api/jobs/body.h"
#include "api/jobs/operations.h"

namespace waybill::api::jobs {
namespace {

Result<job::FinishRequest> parse(const Call& call, const Input& input) {
  job::FinishRequest request;
  request.target = call.target();
  Body body(input, call.subject().record());
  request.lease = body.required_text("lease");
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
  job::finish(jobs, *std::move(request), answer_with<job::Changed>(std::move(call), changed_response));
}

}  // namespace

const Operation finish{
    "finish",
    "POST",
    Path::Shape::record,
    "finish",
    run,
    Needs::work,
    {"The work is done. Answered again where it was before.", "",
     R"({"type":"object","additionalProperties":false,"required":["lease"],"properties":{"lease":{"type":"string"},)"
     R"("fields":{"$ref":"#/components/schemas/@.patch"}}})",
     "200", R"({"$ref":"#/components/schemas/@"})"}};

}  // namespace waybill::api::jobs
