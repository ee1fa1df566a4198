#include "job/progress.h"

#include "api/jobs/body.h"
#include "api/jobs/operations.h"

namespace waybill::api::jobs {
namespace {

Result<job::ProgressRequest> parse(const Call& call, const Input& input) {
  job::ProgressRequest request;
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
  job::progress(jobs, *std::move(request), answer_with<job::Changed>(std::move(call), changed_response));
}

}  // namespace

const Operation progress{
    "progress",
    "POST",
    Path::Shape::record,
    "progress",
    run,
    Needs::work,
    {"Changes fields of a record that the worker holds.", "",
     R"({"type":"object","additionalProperties":false,"required":["lease"],"properties":{"lease":{"type":"string"},)"
     R"("fields":{"$ref":"#/components/schemas/@.patch"}}})",
     "200", R"({"$ref":"#/components/schemas/@"})"}};

}  // namespace waybill::api::jobs
