#include <iostream>

#include "cli/job/commands.h"
#include "cli/job/description.h"
#include "cli/job/screen.h"
#include "cli/job/text_width.h"

namespace waybill::cli::job {
namespace {

Status run(Api& api, const JobOptions& options) {
  switch (options.command) {
    case JobCommand::create:
      return create(api, options);
    case JobCommand::list:
      return list(api, options);
    case JobCommand::counts:
      return counts(api, options);
    case JobCommand::show:
      return show(api, options);
    case JobCommand::watch:
      return watch(api, options);
    case JobCommand::retry:
      return retry(api, options);
    case JobCommand::cancel:
      return decide(api, options, "cancel");
    case JobCommand::approve:
      return decide(api, options, "approve");
    case JobCommand::reject:
      break;
  }
  return decide(api, options, "reject");
}

Status connect_and_run(const JobOptions& options) {
  WAYBILL_TRY_ASSIGN(auto connection, find_connection(options.server, options.actor));
  WAYBILL_TRY_ASSIGN(auto api, Api::open(std::move(connection)));
  return run(api, options);
}

}  // namespace

Status print_outcome(Api& api, const JobOptions& options, const std::string& record) {
  if (options.as_json) {
    std::cout << record << "\n";
    return {};
  }
  WAYBILL_TRY_ASSIGN(const auto description, describe(api, options.target));
  const auto members = members_of(record);
  const Target made{options.target.contract, options.target.record, description.id_of(members)};
  const auto state = text_of(members, description.status_field());
  std::cout << printable(made.text());
  if (!state.empty()) {
    std::cout << "  " << standard_screen().paint(printable(state), description.colour_of(state));
  }
  std::cout << "\n";
  return {};
}

int run_job(const JobOptions& options) {
  const auto status = connect_and_run(options);
  std::cout << std::flush;
  if (!status) {
    std::cerr << "waybill: " << status.error().message << "\n";
    return 1;
  }
  return std::cout ? 0 : 1;
}

}  // namespace waybill::cli::job
