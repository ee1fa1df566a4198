#include "job/fail.h"

#include "api/jobs/body.h"
#include "api/jobs/operations.h"
#include "base/iso_time.h"
#include "job/etag.h"

namespace waybill::api::jobs {
namespace {

Result<job::FailRequest> parse(const Call& call, const Input& input) {
  job::FailRequest request;
  request.target = call.target();
  Body body(input, call.subject().record());
  request.lease = body.required_text("lease");
  request.code = body.text("code");
  request.message = body.text("message");
  request.stack = body.text("stack");
  request.patch = body.patch("fields");
  request.retry = body.boolean("retry", true);
  WAYBILL_TRY(body.status());
  return request;
}

http::Response render(const Call& call, const job::Failed& failed) {
  const auto& subject = call.subject();
  auto response = json_response();
  json::Writer writer(response.body);
  writer.begin_object().key("record");
  append_record(writer.value_place(), *subject.contract, *subject.kind, failed.record.view());
  writer.key("gave_up").boolean(failed.gave_up);
  if (!failed.gave_up) {
    writer.key("retry_at").string(iso_time(failed.retry_at_ms));
  }
  writer.end_object();
  response.headers.emplace_back("ETag", "\"" + job::etag_of(subject, failed.record.view()) + "\"");
  return response;
}

void run(Call call, const Input& input) {
  auto request = parse(call, input);
  if (!request) {
    call.fail(request.error());
    return;
  }
  const auto& jobs = call.jobs();
  job::fail(jobs, *std::move(request), answer_with<job::Failed>(std::move(call), render));
}

}  // namespace

const Operation fail{"fail",
                     "POST",
                     Path::Shape::record,
                     "fail",
                     run,
                     Needs::work,
                     {"The attempt has failed: it is tried again later, or given up.", "",
                      R"({"type":"object","additionalProperties":false,"required":["lease"],"properties":{)"
                      R"("lease":{"type":"string"},"code":{"type":"string"},"message":{"type":"string"},)"
                      R"("stack":{"type":"string"},"retry":{"type":"boolean","default":true},)"
                      R"("fields":{"$ref":"#/components/schemas/@.patch"}}})",
                      "200",
                      R"({"type":"object","required":["record","gave_up"],"properties":{"record":{"$ref":)"
                      R"("#/components/schemas/@"},"gave_up":{"type":"boolean"},)"
                      R"("retry_at":{"type":"string","format":"date-time"}}})"}};

}  // namespace waybill::api::jobs
