#include "api/jobs/openapi.h"
#include "api/jobs/operations.h"

namespace waybill::api::jobs {
namespace {

void run(Call call, const Input& /*input*/) {
  auto response = json_response();
  response.body = describe_api(call.contracts());
  call.answer(std::move(response));
}

}  // namespace

const Operation describe{"describe",
                         "GET",
                         Path::Shape::description,
                         "",
                         run,
                         Needs::nothing,
                         {"This description.", "", "", "200", R"({"type":"object"})"}};

}  // namespace waybill::api::jobs
