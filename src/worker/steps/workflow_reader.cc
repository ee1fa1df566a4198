#include "worker/steps/workflow_reader.h"

#include <algorithm>

#include "item/number.h"
#include "worker/steps/reader_parts.h"

namespace waybill::worker::steps {
namespace {

using contract::Problems;
using contract::Section;
using contract::Yaml;

constexpr std::size_t name_bytes_max = 64;

std::string text_of(const item::Decimal& number) {
  std::string text;
  number.append_text(text);
  return text;
}

bool is_name(std::string_view name) {
  return !name.empty() && name.size() <= name_bytes_max && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

void read_name(Section& section, const Scope& scope, Step& step) {
  const auto name = section.needed_name("name", "give the step a name of its own");
  if (!name) {
    return;
  }
  step.name = name->text;
  if (!is_name(name->text)) {
    section.error(name->place, section.what() + ": \"" + name->text + "\" cannot be a name",
                  "use up to 64 letters, digits, underscores and hyphens");
  }
  if (std::ranges::find(scope.earlier, name->text) != scope.earlier.end()) {
    section.error(name->place, section.what() + ": an earlier step is called \"" + name->text + "\" as well",
                  "give each step a name of its own");
  }
}

void read_work(Section& section, const Scope& scope, Step& step) {
  const Yaml* const http = section.take("http");
  const Yaml* const command = section.take("command");
  if ((http == nullptr) == (command == nullptr)) {
    section.error(section.place(), section.what() + " is either a request or a command",
                  "write one of \"http:\" and \"command:\"");
    return;
  }
  if (http != nullptr) {
    step.work = read_http(*http, section.what() + ": http", scope, section.problems());
  } else {
    step.work = read_command(*command, section.what() + ": command", scope, section.problems());
  }
}

void read_credits(Section& section, Step& step) {
  const auto credits = section.name("credits");
  if (!credits) {
    return;
  }
  const auto number = item::Decimal::parse(credits->text);
  if (!number || number->is_negative()) {
    section.error(credits->place, section.what() + ": credits is a number, not \"" + credits->text + "\"",
                  "write what the step costs, 0 or more");
    return;
  }
  step.credits = text_of(*number);
}

void read_output(Section& section, const Scope& scope, Step& step) {
  const auto output = section.choice("output", {"any", "json", "text"}).value_or("any");
  step.output = output == "json"   ? Step::Output::json
                : output == "text" ? Step::Output::text
                                   : Step::Output::any;
  const Yaml* const keep = section.take("keep");
  if (keep == nullptr) {
    return;
  }
  if (keep->kind != Yaml::Kind::map) {
    section.error(keep->place, section.what() + ": keep is a map, not " + keep->kind_text(),
                  "write what is left of the step, as in {id: \"{output.body.id}\"}");
    return;
  }
  step.keep = read_json(*keep, section.what() + ": keep", {scope.earlier, true, false}, section.problems());
}

void read_time(Section& section, Step& step) {
  const Yaml* const timeout = section.take("timeout");
  const auto seconds = section.duration_s("timeout");
  if (seconds && (*seconds < 1 || *seconds > step_timeout_s_max)) {
    section.error(timeout->place, section.what() + ": timeout cannot be " + timeout->kind_text(),
                  "write a time from 1s to 24h");
  }
  step.timeout_s = seconds.value_or(step.timeout_s);
  step.retries = section.integer("retries", 0, step_retries_max).value_or(0);
}

Step read_step(const Yaml& yaml, const Scope& scope, Problems& problems) {
  const Yaml* const name = yaml.find("name");
  const std::string title = name != nullptr && name->kind == Yaml::Kind::word
                                ? "\"" + name->word + "\""
                                : std::to_string(scope.earlier.size() + 1);
  Step step;
  Section section(yaml, "the step " + title, problems);
  read_name(section, scope, step);
  read_work(section, scope, step);
  read_time(section, step);
  read_credits(section, step);
  read_output(section, scope, step);
  return step;
}

void read_steps(Section& section, Workflow& workflow) {
  const Yaml* const steps = section.need("steps", "write the steps, in the order in which they run");
  if (steps == nullptr) {
    return;
  }
  if (steps->kind != Yaml::Kind::list || steps->items.empty() || steps->items.size() > steps_max) {
    section.error(
        steps->place,
        "steps is a list of 1 to " + std::to_string(steps_max) + " steps, not " + steps->kind_text(),
        "begin each step with \"- name: NAME\"");
    return;
  }
  Scope scope;
  auto total = item::Decimal();
  for (const auto& yaml : steps->items) {
    auto step = read_step(yaml, scope, section.problems());
    scope.earlier.push_back(step.name);
    if (const auto credits = item::Decimal::parse(step.credits)) {
      auto sum = item::Decimal::add(total, *credits);
      total = sum ? *sum : total;
    }
    workflow.steps.push_back(std::move(step));
  }
  workflow.credits_total = text_of(total);
}

}  // namespace

std::optional<Workflow> read_workflow(const std::string& text, Problems& problems) {
  const auto count = problems.size();
  const auto yaml = Yaml::parse(text, problems);
  if (problems.size() > count) {
    return {};
  }
  Workflow workflow;
  {
    Section section(yaml, "the workflow", problems);
    if (const auto name = section.needed_name("workflow", "write \"workflow: NAME\"")) {
      workflow.name = name->text;
      if (!is_name(name->text)) {
        section.error(name->place, "\"" + name->text + "\" cannot be the name of a workflow",
                      "use up to 64 letters, digits, underscores and hyphens");
      }
    }
    read_steps(section, workflow);
  }
  contract::sort_by_place(problems);
  return problems.size() == count ? std::optional(std::move(workflow)) : std::nullopt;
}

}  // namespace waybill::worker::steps
