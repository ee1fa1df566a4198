#include <iostream>

#include "base/json.h"
#include "cli/job/commands.h"
#include "cli/job/json_parts.h"

namespace waybill::cli::job {
namespace {

Status retry_many(Api& api, const JobOptions& options) {
  std::string body;
  json::Writer writer(body);
  writer.begin_object().key("max").integer(options.max);
  if (!options.why.empty()) {
    writer.key("why").string(options.why);
  }
  writer.end_object();
  WAYBILL_TRY_ASSIGN(const auto answer, api.post(path_of(options.target, "replay"), body));
  if (options.as_json) {
    std::cout << answer.body << "\n";
    return {};
  }
  const auto outcome = members_of(answer.body);
  const auto dropped = text_of(outcome, "dropped");
  std::cout << text_of(outcome, "replayed") << " put back to work";
  if (!dropped.empty() && dropped != "0") {
    std::cout << ", " << dropped << " dropped: they need no work any more";
  }
  std::cout << "\n";
  return {};
}

}  // namespace

Status retry(Api& api, const JobOptions& options) {
  return options.all ? retry_many(api, options) : decide(api, options, "replay");
}

}  // namespace waybill::cli::job
