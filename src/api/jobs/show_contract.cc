#include "api/jobs/operations.h"

namespace waybill::api::jobs {
namespace {

void run(Call call, const Input& /*input*/) {
  http::Response response;
  response.content_type = "application/yaml";
  response.body = call.subject().contract->text;
  call.answer(std::move(response));
}

}  // namespace

const Operation show_contract{
    "show_contract",
    "GET",
    Path::Shape::contract,
    "",
    run,
    Needs::nothing,
    {"The text of a contract.", "", "", "200", R"({"type":"string"})", "application/yaml"}};

}  // namespace waybill::api::jobs
