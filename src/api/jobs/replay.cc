#include "job/replay.h"

#include "api/jobs/body.h"
#include "api/jobs/operations.h"

namespace waybill::api::jobs {
namespace {

void run(Call call, const Input& input) {
  Body body(input, call.subject().record());
  const auto why = body.why();
  if (const auto read = body.status(); !read) {
    call.fail(read.error());
    return;
  }
  const auto& jobs = call.jobs();
  auto target = call.target(why);
  job::replay(jobs, std::move(target), answer_with<job::Changed>(std::move(call), changed_response));
}

}  // namespace

const Operation replay{
    "replay",
    "POST",
    Path::Shape::record,
    "replay",
    run,
    Needs::replay,
    {"Puts a record that was given up back to work.", "", R"({"$ref":"#/components/schemas/Why"})", "200",
     R"({"$ref":"#/components/schemas/@"})"}};

}  // namespace waybill::api::jobs
