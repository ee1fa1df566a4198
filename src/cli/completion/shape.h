#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

// The command line as completion sees it, taken from what reads it: the two cannot differ.
namespace waybill::cli::completion {

struct OptionShape {
  std::vector<std::string> names;  // "--server"
  std::string help;
  bool takes_value = false;
  std::vector<std::string> words;  // that its value may be; empty: anything
};

struct CommandShape {
  std::string name;
  std::string help;
  std::vector<OptionShape> options;
  std::vector<std::string> positionals;  // their names: "CONTRACT/RECORD/ID", "FIELDS"
  std::vector<CommandShape> commands;
};

CommandShape shape_of(const CLI::App& app);

}  // namespace waybill::cli::completion
