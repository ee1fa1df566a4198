#include "job/create.h"

#include "api/jobs/access.h"
#include "api/jobs/operations.h"
#include "api/jobs/problem.h"
#include "api/jobs/record_json.h"

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
    if (key.empty() || key.size() > key_bytes_max) {
      return Error{ErrorKind::malformed, "Idempotency-Key must have 1 to 255 characters", "Idempotency-Key"};
    }
    request.idempotency_key = key;
  }
  if (call.reach()) {
    const auto table = call.jobs().store.find_table(call.subject().contract->table);
    WAYBILL_TRY(check_new(*call.reach(), call.subject(), *table, request.fields.view()));
  }
  return request;
}

// An idempotency key may stand for a record of somebody else.
bool is_out_of_reach(const Call& call, const job::Created& created) {
  const auto table = call.jobs().store.find_table(call.subject().contract->table);
  return call.reach() && !call.reach()->covers(*table, created.record.view());
}

http::Response render(const Call& call, const job::Created& created) {
  if (is_out_of_reach(call, created)) {
    return problem_response(
        Error{ErrorKind::key_in_use, "The idempotency key stands for another request.", {}});
  }
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
