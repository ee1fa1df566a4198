#include "job/get.h"

#include "api/jobs/operations.h"

namespace waybill::api::jobs {
namespace {

// Weak comparison (RFC 9110, 13.1.2), which for ours is whether the list has it.
bool is_seen(std::string_view if_none_match, std::string_view etag) {
  return if_none_match == "*" ||
         (!if_none_match.empty() && if_none_match.find(etag) != std::string_view::npos);
}

void run(Call call, const Input& input) {
  if (const auto known = input.query.check_names({}); !known) {
    call.fail(known.error());
    return;
  }
  const auto record = job::get(call.jobs(), call.subject(), call.target().id);
  if (!record) {
    call.fail(record.error());
    return;
  }
  auto response = record_response(call, record->view());
  if (is_seen(input.request.header("if-none-match"), response.headers.back().second)) {
    response.status = 304;
    response.content_type = {};
    response.body.clear();
  }
  call.answer(std::move(response));
}

}  // namespace

const Operation get{"get",
                    "GET",
                    Path::Shape::record,
                    "",
                    run,
                    Needs::nothing,
                    {"One record, as of the last commit. ETag says which state of it.", "", "", "200",
                     R"({"$ref":"#/components/schemas/@"})"}};

}  // namespace waybill::api::jobs
