#include <iostream>

#include "cli/job/commands.h"
#include "cli/job/description.h"
#include "cli/job/table.h"

namespace waybill::cli::job {

Status counts(Api& api, const JobOptions& options) {
  const auto parameters = options.tenant.empty() ? Parameters() : Parameters{{"tenant", options.tenant}};
  WAYBILL_TRY_ASSIGN(const auto answer, api.get(path_of(options.target, "counts") + query_of(parameters)));
  if (options.as_json) {
    std::cout << answer.body << "\n";
    return {};
  }
  WAYBILL_TRY_ASSIGN(const auto description, describe(api, options.target));
  Table table;
  table.columns = {{.title = "STATUS", .is_whole = true}, {.title = "COUNT", .is_number = true}};
  for (const auto& state : members_of(answer.body)) {
    table.rows.push_back({{state.name, description.colour_of(state.name)}, {plain_text(state.value)}});
  }
  std::cout << table.text_on(standard_screen());
  return {};
}

}  // namespace waybill::cli::job
