#pragma once

#include <string>
#include <utility>
#include <vector>

#include "contract/section.h"
#include "worker/steps/workflow.h"

// The pieces of workflow_reader.h.
namespace waybill::worker::steps {

// What the texts of a step may name.
struct Scope {
  std::vector<std::string> earlier;  // steps before it
  bool has_output = false;           // {output…}
  bool has_variables = false;        // ${ENV:…}
};

// Each notes what is wrong; `what` is the text in words, "the step \"fetch\": url".
Pattern read_pattern(const contract::Yaml& yaml, const std::string& what, const Scope& scope,
                     contract::Problems& problems);
JsonPattern read_json(const contract::Yaml& yaml, const std::string& what, const Scope& scope,
                      contract::Problems& problems);
std::vector<std::pair<std::string, Pattern>> read_patterns(const contract::Yaml& yaml,
                                                           const std::string& what, const Scope& scope,
                                                           contract::Problems& problems);
// One whole number or a list of them, between the bounds.
std::set<int64_t> read_codes(contract::Section& section, std::string_view key, int64_t least, int64_t most);

HttpCall read_http(const contract::Yaml& yaml, const std::string& what, const Scope& scope,
                   contract::Problems& problems);
Command read_command(const contract::Yaml& yaml, const std::string& what, const Scope& scope,
                     contract::Problems& problems);

}  // namespace waybill::worker::steps
