#include "job/create.h"

#include "api/jobs/operations.h"
#include "api/jobs/record_json.h"
#include "base/utf8.h"

namespace waybill::api::jobs {
namespace {

constexpr std::size_t key_bytes_max = 255;

Result<job::CreateRequest> parse(const Call& call, const Input& input) {
  job::CreateRequest request;
  request.subject = call.subject();
  request.author = call.target().author;
  WAYBILL_TRY(input.query.check_names({}));
  WAYBILL_TRY_ASSIGN(request.fields, read_record(call.subject().record(), input.document, input.body));
  if (input.request.has_header("idempotency-key")) {
    const auto key = input.request.header("idempotency-key");
    if (key.empty() || key.size() > key_bytes_max || !is_utf8(key)) {
      return Error{ErrorKind::malformed, "Idempotency-Key must have 1 to 255 bytes of UTF-8",
                   "Idempotency-Key"};
    }
    request.idempotency_key = key;
  }
  request.reach = call.reach();
  return request;
}

http::Response render(const Call& call, const job::Created& created) {
  auto response = record_response(call, created.record.view(), created.repeated ? 200 : 201);
  const auto& subject = call.subject();
  response.headers.emplace_back(
      "Location", path_of_record(subject.contract->contract.name, subject.record().name, created.id));
  if (created.repeated) {
    response.headers.emplace_back("Idempotency-Replayed", "true");
  }
  return response;
}

void run(Call call, const Input& input) {
  auto request = parse(call, input);
  if (!request) {
    call.fail(request.error());
    return;
  }
  const auto& jobs = call.jobs();
  job::create(jobs, *std::move(request), answer_with<job::Created>(std::move(call), render));
}

}  // namespace

const Operation create{
    "create",
    "POST",
    Path::Shape::records,
    "",
    run,
    Needs::nothing,
    {"Makes a record. With an idempotency key that was used before, answers 200 with the record of then.",
     R"({"$ref":"#/components/parameters/IdempotencyKey"})", R"({"$ref":"#/components/schemas/@.new"})",
     "201", R"({"$ref":"#/components/schemas/@"})"}};

}  // namespace waybill::api::jobs
