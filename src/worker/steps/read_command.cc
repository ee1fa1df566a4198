#include <algorithm>
#include <cctype>

#include "worker/steps/reader_parts.h"

namespace waybill::worker::steps {
namespace {

using contract::Problems;
using contract::Section;
using contract::Yaml;

constexpr int64_t exit_code_max = 255;
constexpr std::size_t arguments_max = 256;

// Which program runs is said by the file alone, never by a job.
void read_run(Section& section, const Scope& scope, Command& command) {
  const Yaml* const run = section.need("run", "write the program and its arguments: [convert, \"-v\"]");
  if (run == nullptr) {
    return;
  }
  if (run->kind != Yaml::Kind::list || run->items.empty() || run->items.size() > arguments_max) {
    section.error(run->place, section.what() + ": run is a list, not " + run->kind_text(),
                  "write the program and its arguments as [convert, \"-v\"]; no shell reads them");
    return;
  }
  for (const auto& item : run->items) {
    command.run.push_back(read_pattern(item, section.what() + ": run", scope, section.problems()));
  }
  const auto& program = command.run.front();
  if (program.parts().size() != 1 || program.parts().front().kind != Pattern::Kind::text) {
    section.error(run->items.front().place, section.what() + ": the program is written out",
                  "values can be in its arguments");
  }
}

bool is_variable_name(std::string_view name) {
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0 &&
         std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

void check_names(const Yaml& yaml, Section& section) {
  for (const auto& entry : yaml.entries) {
    if (!is_variable_name(entry.key) || entry.key.starts_with("WAYBILL_")) {
      section.error(entry.place, section.what() + ": there can be no variable \"" + entry.key + "\"",
                    "use letters, digits and underscores; those with WAYBILL_ are the worker's own");
    }
  }
}

}  // namespace

Command read_command(const Yaml& yaml, const std::string& what, const Scope& scope, Problems& problems) {
  Command command;
  Section section(yaml, what, problems);
  read_run(section, scope, command);
  if (const Yaml* const environment = section.take("env")) {
    command.environment = read_patterns(*environment, what + ": env", {scope.earlier, false, true}, problems);
    check_names(*environment, section);
  }
  if (const Yaml* const input = section.take("stdin")) {
    command.input = read_pattern(*input, what + ": stdin", scope, problems);
  }
  command.expect = read_codes(section, "expect", 0, exit_code_max);
  command.retry_on = read_codes(section, "retry_on", 0, exit_code_max);
  command.final_on = read_codes(section, "final_on", 0, exit_code_max);
  return command;
}

}  // namespace waybill::worker::steps
