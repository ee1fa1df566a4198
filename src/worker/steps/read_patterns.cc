#include <algorithm>
#include <charconv>

#include "base/json.h"
#include "worker/steps/reader_parts.h"

namespace waybill::worker::steps {
namespace {

using contract::Problem;
using contract::Problems;
using contract::Yaml;

void note(Problems& problems, const Yaml& yaml, std::string what, std::string remedy) {
  problems.push_back({Problem::Weight::error, yaml.place, std::move(what), std::move(remedy)});
}

std::string_view first_word(std::string_view path) {
  return path.substr(0, path.find('.'));
}

// What is wrong with naming this value here; "" where nothing is.
std::string trouble_with(std::string_view path, const Scope& scope) {
  const auto root = first_word(path);
  const auto rest = path.substr(std::min(root.size() + 1, path.size()));
  if (root == "job") {
    return rest.empty() ? "names no field of the job" : "";
  }
  if (root == "output") {
    return scope.has_output ? "" : "is there in \"keep\" alone";
  }
  if (root != "steps") {
    return "begins with neither job nor steps";
  }
  const auto step = first_word(rest);
  const bool is_earlier = std::ranges::find(scope.earlier, step) != scope.earlier.end();
  return is_earlier ? "" : "names no earlier step";
}

void check_parts(const Pattern& pattern, const Yaml& yaml, const std::string& what, const Scope& scope,
                 Problems& problems) {
  for (const auto& part : pattern.parts()) {
    if (part.kind == Pattern::Kind::variable && !scope.has_variables) {
      note(problems, yaml, what + " cannot have ${ENV:" + part.text + "}",
           "variables go into the beginning of a url, into headers and into env");
    }
    if (part.kind != Pattern::Kind::value) {
      continue;
    }
    if (const auto trouble = trouble_with(part.text, scope); !trouble.empty()) {
      note(problems, yaml, std::string(what).append(": {").append(part.text).append("} ").append(trouble),
           "write {job.FIELD}, or {steps.NAME.FIELD} of a step before this one; braces as such are written "
           "twice");
    }
  }
}

bool is_json(const std::string& word) {
  json::Parser parser;
  const auto value = parser.parse_copy(word);
  return value && !value->is_string() && !value->is_array() && !value->is_object();
}

JsonPattern read_word(const Yaml& yaml, const std::string& what, const Scope& scope, Problems& problems) {
  JsonPattern made;
  if (!yaml.quoted && is_json(yaml.word)) {
    made.literal = yaml.word;
    return made;
  }
  made.kind = JsonPattern::Kind::text;
  made.text = read_pattern(yaml, what, scope, problems);
  return made;
}

}  // namespace

Pattern read_pattern(const Yaml& yaml, const std::string& what, const Scope& scope, Problems& problems) {
  if (yaml.kind != Yaml::Kind::word) {
    note(problems, yaml, what + " is a text, not " + yaml.kind_text(), "write a text, in quotes");
    return {};
  }
  auto pattern = Pattern::parse(yaml.word);
  if (!pattern) {
    note(problems, yaml, what + ": " + pattern.error().message,
         "write values as in {job.input.page}, and variables as in ${ENV:NAME}");
    return {};
  }
  check_parts(*pattern, yaml, what, scope, problems);
  return *std::move(pattern);
}

JsonPattern read_json(const Yaml& yaml, const std::string& what, const Scope& scope, Problems& problems) {
  JsonPattern made;
  switch (yaml.kind) {
    case Yaml::Kind::nothing:
      made.literal = "null";
      break;
    case Yaml::Kind::word:
      return read_word(yaml, what, scope, problems);
    case Yaml::Kind::list:
      made.kind = JsonPattern::Kind::list;
      for (const auto& item : yaml.items) {
        made.items.push_back(read_json(item, what, scope, problems));
      }
      break;
    case Yaml::Kind::map:
      made.kind = JsonPattern::Kind::map;
      for (const auto& entry : yaml.entries) {
        made.names.push_back(entry.key);
        made.items.push_back(read_json(entry.value, what + ": " + entry.key, scope, problems));
      }
      break;
  }
  return made;
}

std::vector<std::pair<std::string, Pattern>> read_patterns(const Yaml& yaml, const std::string& what,
                                                           const Scope& scope, Problems& problems) {
  std::vector<std::pair<std::string, Pattern>> made;
  for (const auto& entry : contract::read_entries(yaml, what, problems)) {
    made.emplace_back(entry.key, read_pattern(entry.value, what + ": " + entry.key, scope, problems));
  }
  return made;
}

std::set<int64_t> read_codes(contract::Section& section, std::string_view key, int64_t least, int64_t most) {
  std::set<int64_t> codes;
  for (const auto& name : section.names(key)) {
    int64_t code = 0;
    const char* const end = name.text.data() + name.text.size();
    const auto [stopped, problem] = std::from_chars(name.text.data(), end, code);
    if (problem != std::errc() || stopped != end || code < least || code > most) {
      section.error(name.place, section.what() + ": " + std::string(key) + " cannot be \"" + name.text + "\"",
                    "write whole numbers from " + std::to_string(least) + " to " + std::to_string(most));
      continue;
    }
    codes.insert(code);
  }
  return codes;
}

}  // namespace waybill::worker::steps
