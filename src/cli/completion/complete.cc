#include "cli/completion/complete.h"

#include <algorithm>

namespace waybill::cli::completion {
namespace {

const OptionShape* find_option(const CommandShape& command, const std::string& name) {
  const auto found = std::ranges::find_if(command.options, [&](const OptionShape& option) {
    return std::ranges::find(option.names, name) != option.names.end();
  });
  return found == command.options.end() ? nullptr : &*found;
}

const CommandShape* find_command(const CommandShape& command, const std::string& name) {
  const auto found = std::ranges::find(command.commands, name, &CommandShape::name);
  return found == command.commands.end() ? nullptr : &*found;
}

// Reads the words before the one that is typed.
struct Reading {
  const CommandShape* command;
  const OptionShape* open = nullptr;  // an option whose value comes next
  std::vector<std::string> positionals;
  std::string server;

  void take(const std::string& word) {
    if (open != nullptr) {
      server = open->names.front() == "--server" ? word : server;
      open = nullptr;
    } else if (word.starts_with("-")) {
      take_option(word);
    } else if (const auto* const inner = positionals.empty() ? find_command(*command, word) : nullptr) {
      command = inner;
    } else {
      positionals.push_back(word);
    }
  }

  void take_option(const std::string& word) {
    if (word.starts_with("--server=")) {
      server = word.substr(word.find('=') + 1);
    }
    const auto* const option = find_option(*command, word);
    open = option != nullptr && option->takes_value ? option : nullptr;
  }
};

void add_options(Completion& completion, const CommandShape& command) {
  for (const auto& option : command.options) {
    for (const auto& name : option.names) {
      completion.candidates.push_back({name, option.help});
    }
  }
}

void add_commands(Completion& completion, const CommandShape& command) {
  for (const auto& inner : command.commands) {
    completion.candidates.push_back({inner.name, inner.help});
  }
}

void add_positional(Completion& completion, const Reading& reading) {
  const auto& names = reading.command->positionals;
  const std::size_t place = reading.positionals.size();
  const bool is_target = !names.empty() && names.front().starts_with("CONTRACT/RECORD");
  if (is_target && place == 0) {
    completion.ask = Completion::Ask::kinds;
    completion.wants_id = names.front() == "CONTRACT/RECORD/ID";
  } else if (is_target && place > 0 && names.size() > 1 && names[1] == "FIELDS") {
    completion.ask = Completion::Ask::fields;
    completion.target = reading.positionals.front();
  }
}

}  // namespace

Completion complete(const CommandShape& root, const std::vector<std::string>& words) {
  Reading reading{.command = &root, .open = nullptr, .positionals = {}, .server = {}};
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    reading.take(words[i]);
  }
  const std::string typed = words.empty() ? std::string() : words.back();
  Completion completion;
  completion.server = reading.server;
  if (reading.open != nullptr) {
    for (const auto& word : reading.open->words) {
      completion.candidates.push_back({word, {}});
    }
  } else if (typed.starts_with("-")) {
    add_options(completion, *reading.command);
  } else if (!reading.command->commands.empty()) {
    add_commands(completion, *reading.command);
  } else {
    add_positional(completion, reading);
  }
  std::erase_if(completion.candidates, [&](const Candidate& one) { return !one.text.starts_with(typed); });
  return completion;
}

}  // namespace waybill::cli::completion
