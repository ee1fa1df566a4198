#include "job/remove.h"

#include "api/jobs/operations.h"

namespace waybill::api::jobs {
namespace {

Result<job::RemoveRequest> parse(const Call& call, const Input& input) {
  job::RemoveRequest request;
  request.target = call.target();
  WAYBILL_TRY(input.query.check_names({"owner"}));
  WAYBILL_TRY_ASSIGN(request.if_match, read_if_match(input.request));
  if (const auto owner = input.query.find("owner")) {
    request.owner = *owner;
  }
  return request;
}

http::Response render(const Call& /*call*/, const job::Changed& /*was*/) {
  http::Response response;
  response.status = 204;
  return response;
}

void run(Call call, const Input& input) {
  auto request = parse(call, input);
  if (!request) {
    call.fail(request.error());
    return;
  }
  const auto& jobs = call.jobs();
  job::remove(jobs, *std::move(request), answer_with<job::Changed>(std::move(call), render));
}

}  // namespace

const Operation remove{
    "remove",
    "DELETE",
    Path::Shape::record,
    "",
    run,
    Needs::nothing,
    {"Deletes a record.",
     R"({"$ref":"#/components/parameters/IfMatch"},{"$ref":"#/components/parameters/Owner"})", "", "204",
     ""}};

}  // namespace waybill::api::jobs
