#include "cli/completion/shape.h"

#include <CLI/CLI.hpp>

namespace waybill::cli::completion {
namespace {

// "TEXT:{any,all}" names the words of an option.
std::vector<std::string> words_of(const std::string& type) {
  std::vector<std::string> words;
  const auto open = type.find('{');
  const auto close = type.find('}');
  if (open == std::string::npos || close == std::string::npos || close < open) {
    return words;
  }
  return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
}

OptionShape shape_of_option(const CLI::Option& option) {
  OptionShape shape;
  for (const auto& name : option.get_lnames()) {
    shape.names.push_back("--" + name);
  }
  for (const auto& name : option.get_snames()) {
    shape.names.push_back("-" + name);
  }
  shape.help = option.get_description();
  shape.takes_value = option.get_items_expected_max() > 0;
  shape.words = words_of(option.get_type_name());
  return shape;
}

}  // namespace

CommandShape shape_of(const CLI::App& app) {
  CommandShape shape;
  shape.name = app.get_name();
  shape.help = app.get_description();
  for (const auto* const option : app.get_options()) {
    if (option->get_positional()) {
      shape.positionals.push_back(option->get_name(true));
    } else {
      shape.options.push_back(shape_of_option(*option));
    }
  }
  for (const auto* const command : app.get_subcommands(nullptr)) {
    shape.commands.push_back(shape_of(*command));
  }
  return shape;
}

}  // namespace waybill::cli::completion
