#include "job/heartbeat.h"

#include "api/jobs/body.h"
#include "api/jobs/lease_json.h"
#include "api/jobs/operations.h"

namespace waybill::api::jobs {
namespace {

Result<job::HeartbeatRequest> parse(const Call& call, const Input& input) {
  job::HeartbeatRequest request;
  request.target = call.target();
  Body body(input, call.subject().record());
  request.lease = body.required_text("lease");
  if (const auto lease_s = body.integer("lease_s", 1, lease_s_max)) {
    request.lease_ms = 1000 * *lease_s;
  }
  WAYBILL_TRY(body.status());
  return request;
}

http::Response render(const Call& /*call*/, const job::Lease& lease) {
  auto response = json_response();
  json::Writer writer(response.body);
  writer.begin_object().key("lease");
  write_lease(writer, lease);
  writer.end_object();
  return response;
}

void run(Call call, const Input& input) {
  auto request = parse(call, input);
  if (!request) {
    call.fail(request.error());
    return;
  }
  const auto& jobs = call.jobs();
  job::heartbeat(jobs, *std::move(request), answer_with<job::Lease>(std::move(call), render));
}

}  // namespace

const Operation heartbeat{
    "heartbeat",
    "POST",
    Path::Shape::record,
    "heartbeat",
    run,
    Needs::work,
    {"Prolongs a lease. 409 where the work is not wanted any more: the worker is to stop.", "",
     R"({"type":"object","additionalProperties":false,"required":["lease"],"properties":{)"
     R"("lease":{"type":"string"},"lease_s":{"$ref":"#/components/schemas/LeaseSeconds"}}})",
     "200",
     R"({"type":"object","required":["lease"],"properties":{"lease":{"$ref":"#/components/schemas/Lease"}}})"}};

}  // namespace waybill::api::jobs
