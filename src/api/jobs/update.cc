#include "job/update.h"

#include "api/jobs/operations.h"
#include "api/jobs/record_json.h"

namespace waybill::api::jobs {
namespace {

Result<job::UpdateRequest> parse(const Call& call, const Input& input) {
  job::UpdateRequest request;
  request.target = call.target();
  WAYBILL_TRY(input.query.check_names({}));
  WAYBILL_TRY_ASSIGN(request.if_match, read_if_match(input.request));
  WAYBILL_TRY_ASSIGN(request.patch, read_patch(call.subject().record(), input.document, input.body));
  return request;
}

void run(Call call, const Input& input) {
  auto request = parse(call, input);
  if (!request) {
    call.fail(request.error());
    return;
  }
  const auto& jobs = call.jobs();
  job::update(jobs, *std::move(request), answer_with<job::Changed>(std::move(call), changed_response));
}

}  // namespace

const Operation update{
    "update",
    "PATCH",
    Path::Shape::record,
    "",
    run,
    Needs::nothing,
    {"Changes fields by a merge patch (RFC 7396). A status among them is a move.",
     R"({"$ref":"#/components/parameters/IfMatch"})", R"({"$ref":"#/components/schemas/@.patch"})", "200",
     R"({"$ref":"#/components/schemas/@"})"}};

}  // namespace waybill::api::jobs
