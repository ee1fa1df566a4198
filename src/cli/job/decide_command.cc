#include "base/json.h"
#include "cli/job/commands.h"

namespace waybill::cli::job {

std::string why_body(const JobOptions& options) {
  std::string body;
  json::Writer writer(body);
  writer.begin_object();
  if (!options.why.empty()) {
    writer.key("why").string(options.why);
  }
  writer.end_object();
  return body;
}

Status decide(Api& api, const JobOptions& options, const std::string& verb) {
  WAYBILL_TRY_ASSIGN(const auto answer, api.post(path_of(options.target, verb), why_body(options)));
  return print_outcome(api, options, answer.body);
}

}  // namespace waybill::cli::job
