#include "job/release.h"

#include "api/jobs/body.h"
#include "api/jobs/operations.h"

namespace waybill::api::jobs {
namespace {

Result<job::ReleaseRequest> parse(const Call& call, const Input& input) {
  job::ReleaseRequest request;
  request.target = call.target();
  Body body(input, call.subject().record());
  request.lease = body.required_text("lease");
  request.wait_ms = 1000 * body.integer("wait_s", 0, lease_s_max).value_or(0);
  request.code = body.text("code");
  request.message = body.text("message");
  request.stack = body.text("stack");
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
  job::release(jobs, *std::move(request), answer_with<job::Changed>(std::move(call), changed_response));
}

}  // namespace

const Operation release{
    "release",
    "POST",
    Path::Shape::record,
    "release",
    run,
    Needs::work,
    {"Gives the job back, after `wait_s` seconds: the next worker goes on with it. Without a code it is as "
     "if "
     "the worker had never had it; with one the attempt counts, and the record says why.",
     "",
     R"({"type":"object","additionalProperties":false,"required":["lease"],"properties":{)"
     R"("lease":{"type":"string"},"wait_s":{"type":"integer","minimum":0,"maximum":43200,"default":0},)"
     R"("code":{"type":"string"},"message":{"type":"string"},"stack":{"type":"string"}}})",
     "200", R"({"$ref":"#/components/schemas/@"})"}};

}  // namespace waybill::api::jobs
