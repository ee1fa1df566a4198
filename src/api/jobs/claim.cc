#include "job/claim.h"

#include <memory>

#include "api/jobs/body.h"
#include "api/jobs/lease_json.h"
#include "api/jobs/operations.h"

namespace waybill::api::jobs {
namespace {

Result<job::ClaimRequest> parse(const Call& call, const Input& input) {
  WAYBILL_TRY(input.query.check_names({}));
  job::ClaimRequest request;
  request.subject = call.subject();
  request.author = call.target().author;
  Body body(input, call.subject().record());
  const auto worker = body.text("worker", actor_bytes_max);
  request.count_max = static_cast<uint32_t>(body.integer("max", 1, job::claim_count_max).value_or(1));
  request.wait_ms = 1000 * body.integer("wait_s", 0, job::claim_wait_ms_max / 1000).value_or(0);
  if (const auto lease_s = body.integer("lease_s", 1, lease_s_max)) {
    request.lease_ms = 1000 * *lease_s;
  }
  WAYBILL_TRY(body.status());
  if (call.is_of_batch() && request.wait_ms > 0) {
    return Error{ErrorKind::malformed, "A claim that is part of a batch does not wait: leave out wait_s.",
                 "wait_s"};
  }
  if (!worker.empty()) {
    request.author = call.author_as(worker);
  }
  return request;
}

// The envelope is JSON, unless somebody has sent messages of another kind to the queue.
void write_message(json::Writer& writer, const std::string& body) {
  thread_local json::Parser parser;
  if (parser.parse_copy(body)) {
    writer.raw(body);
  } else {
    writer.string(body);
  }
}

http::Response render(const Call& call, const std::vector<job::Claimed>& claimed) {
  auto response = json_response();
  json::Writer writer(response.body);
  writer.begin_object().key("jobs").begin_array();
  for (const auto& one : claimed) {
    writer.begin_object().key("id").string(one.id);
    writer.key("record");
    append_record(writer.value_place(), *call.subject().contract, *call.subject().kind, one.record.view());
    writer.key("lease");
    write_lease(writer, one.lease);
    writer.key("attempt").integer(one.attempt).key("message");
    write_message(writer, one.message);
    writer.end_object();
  }
  writer.end_array().end_object();
  return response;
}

// A job that comes while nobody waits for it any more is left to others: the wait ends with the client.
void run(Call call, const Input& input) {
  auto request = parse(call, input);
  if (!request) {
    call.fail(request.error());
    return;
  }
  const auto wait = std::make_shared<std::shared_ptr<store::Wait>>();
  if (request->wait_ms > 0) {
    call.watch([wait] {
      if (*wait) {
        (*wait)->cancel();
      }
    });
  }
  request->run_elsewhere = [executor = call.executor()](UniqueFunction<void()> work) {
    executor.post(std::move(work));
  };
  const auto& jobs = call.jobs();
  *wait =
      job::claim(jobs, *std::move(request), answer_with<std::vector<job::Claimed>>(std::move(call), render));
}

}  // namespace

const Operation claim{
    "claim",
    "POST",
    Path::Shape::records,
    "claim",
    run,
    Needs::work,
    {"Hands out records to work on; waits for the first of them as long as wait_s says.", "",
     R"({"type":"object","additionalProperties":false,"properties":{"worker":{"type":"string","maxLength":200},)"
     R"("max":{"type":"integer","minimum":1,"maximum":10,"default":1},)"
     R"("wait_s":{"type":"integer","minimum":0,"maximum":20,"default":0},)"
     R"("lease_s":{"$ref":"#/components/schemas/LeaseSeconds"}}})",
     "200",
     R"({"type":"object","required":["jobs"],"properties":{"jobs":{"type":"array","items":{"type":"object",)"
     R"("required":["id","record","lease","attempt","message"],"properties":{"id":{"type":"string"},)"
     R"("record":{"$ref":"#/components/schemas/@"},"lease":{"$ref":"#/components/schemas/Lease"},)"
     R"("attempt":{"type":"integer","minimum":1},"message":{}}}}}})"}};

}  // namespace waybill::api::jobs
