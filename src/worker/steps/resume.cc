#include "worker/steps/resume.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "worker/trouble.h"

namespace waybill::worker::steps {
namespace {

int64_t whole_number(const json::Value& record, std::string_view field) {
  const auto found = record.find(field);
  return found && found->type() == json::Type::number ? found->integer().value_or(-1) : 0;
}

bool is_zero(const json::Value& record, std::string_view field) {
  const auto found = record.find(field);
  return !found || found->type() != json::Type::number || found->number() == 0;
}

std::vector<std::string_view> names_in(const json::Value& record) {
  std::vector<std::string_view> names;
  const auto found = record.find("step_names");
  if (found && found->is_array()) {
    for (json::Elements each(*found); each.next();) {
      names.push_back(each.value().is_string() ? each.value().string() : std::string_view());
    }
  }
  return names;
}

Error changed(const std::string& how) {
  return final_trouble("WORKFLOW_CHANGED", "the workflow's file was changed while the job ran: " + how +
                                               "; put it back, or begin a new job");
}

// Steps that are done must be those that the file begins with.
Status check_done(const Workflow& workflow, const std::vector<std::string_view>& names, std::size_t done) {
  if (done > workflow.steps.size()) {
    return changed(std::to_string(done) + " steps are done, and it has " +
                   std::to_string(workflow.steps.size()));
  }
  for (std::size_t at = 0; at < done && at < names.size(); ++at) {
    if (workflow.steps[at].name != names[at]) {
      return changed("step " + std::to_string(at) + " was \"" + std::string(names[at]) + "\"");
    }
  }
  return {};
}

bool are_same(const Workflow& workflow, const std::vector<std::string_view>& names) {
  return std::ranges::equal(workflow.steps, names, {}, &Step::name);
}

}  // namespace

Result<Resume> decide_resume(const Workflow& workflow, const json::Value& record) {
  const int64_t cursor = whole_number(record, "step_cursor");
  const auto names = names_in(record);
  WAYBILL_TRY(check_done(workflow, names, static_cast<std::size_t>(std::max<int64_t>(cursor, 0))));
  Resume resume;
  resume.step = static_cast<std::size_t>(std::max<int64_t>(cursor, 0));
  const auto total = static_cast<int64_t>(workflow.steps.size());
  const bool knows_steps = whole_number(record, "steps_total") == total && are_same(workflow, names);
  const bool knows_cost = workflow.credits_total == "0" || !is_zero(record, "credits_estimate");
  if (knows_steps && knows_cost) {
    return resume;
  }
  json::Writer writer(resume.fields);
  writer.begin_object().key("steps_total").integer(total).key("step_names").begin_array();
  for (const auto& step : workflow.steps) {
    writer.string(step.name);
  }
  writer.end_array();
  if (!knows_cost) {
    writer.key("credits_estimate").raw(workflow.credits_total);
    writer.key("credits_reserved").raw(workflow.credits_total);
  }
  writer.end_object();
  return resume;
}

}  // namespace waybill::worker::steps
