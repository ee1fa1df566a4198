#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace waybill::cli::job {

// What a command is about: "orchestrator/job", or one record "orchestrator/job/ID".
struct Target {
  std::string contract;
  std::string record;
  std::string id;  // as lists show it; "": all records of the kind

  std::string text() const;  // as it is typed
};

// Nothing where a part is missing. Slashes behind the second belong to the id.
std::optional<Target> parse_target(std::string_view text);

// Its path in the jobs API; `verb` as in "history", or "".
std::string path_of(const Target& target, std::string_view verb = {});

}  // namespace waybill::cli::job
