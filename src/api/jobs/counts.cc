#include "job/counts.h"

#include "api/jobs/access.h"
#include "api/jobs/operations.h"

namespace waybill::api::jobs {
namespace {

Result<http::Response> answer(const Call& call, const Query& query) {
  WAYBILL_TRY(query.check_names({"tenant"}));
  const auto tenant = query.find("tenant");
  if (call.reach()) {
    WAYBILL_TRY(check_tenant(call.services(), *call.reach(), call.subject(), tenant.value_or("")));
  }
  WAYBILL_TRY_ASSIGN(
      const auto counted,
      job::counts(call.jobs(), call.subject(), tenant ? std::optional(std::string(*tenant)) : std::nullopt));
  auto response = json_response();
  json::Writer writer(response.body);
  writer.begin_object();
  for (const auto& [state, count] : counted) {
    writer.key(state).integer(count);
  }
  writer.end_object();
  return response;
}

void run(Call call, const Input& input) {
  auto response = answer(call, input.query);
  if (!response) {
    call.fail(response.error());
    return;
  }
  call.answer(*std::move(response));
}

}  // namespace

const Operation counts{"counts",
                       "GET",
                       Path::Shape::records,
                       "counts",
                       run,
                       Needs::states,
                       {"How many records there are in each state: exact, as of the last commit.",
                        R"({"$ref":"#/components/parameters/Tenant"})", "", "200",
                        R"({"type":"object","additionalProperties":{"type":"integer","minimum":0}})"}};

}  // namespace waybill::api::jobs
