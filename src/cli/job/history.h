#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/job/api.h"
#include "cli/job/json_parts.h"
#include "cli/job/target.h"

namespace waybill::cli::job {

// All that happened to a record, from the oldest on.
struct History {
  std::vector<std::string> pages;  // as the server answered

  std::vector<std::string_view> items() const;  // as JSON; views of the pages
  std::vector<Members> happenings() const;
};

Result<History> read_history(Api& api, const Target& target);

}  // namespace waybill::cli::job
