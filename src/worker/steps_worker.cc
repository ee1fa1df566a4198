#include "worker/steps_worker.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#include "client/calling.h"
#include "worker/steps/command_step.h"
#include "worker/steps/http_step.h"
#include "worker/steps/output.h"
#include "worker/steps/resume.h"
#include "worker/steps/workflows.h"
#include "worker/trouble.h"

namespace waybill::worker {
namespace {

constexpr int64_t pause_ms_first = 1'000;
constexpr int64_t pause_ms_max = 60'000;
constexpr int doublings_max = 6;

std::optional<std::string> variable(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
}

steps::StepRun run_of(const Task& task, const steps::Workflow& workflow, const steps::Step& step) {
  steps::StepRun run;
  run.job_id = task.job().id();
  run.workflow = workflow.name;
  run.step = step.name;
  run.idempotency_key = run.job_id + "/" + step.name;
  run.attempt = task.job().attempt();
  run.folder = task.folder();
  run.programs = workflow.folder;
  run.guard = task.tools().guard;
  run.stop = task.stop();
  run.clock = task.tools().clock;
  return run;
}

steps::Attempt attempt(const steps::Step& step, const steps::Values& values, const steps::StepRun& run) {
  if (const auto* const call = std::get_if<steps::HttpCall>(&step.work)) {
    return steps::call_once(step, *call, values, run);
  }
  return steps::run_once(step, std::get<steps::Command>(step.work), values, run);
}

// Tried again, while the trouble may pass, as often as the step says.
Result<std::string> persist(const steps::Step& step, const steps::Values& values, const steps::StepRun& run) {
  for (int failures = 1;; ++failures) {
    auto tried = attempt(step, values, run);
    if (tried.output || tried.output.error().kind != ErrorKind::unavailable || failures > step.retries) {
      return std::move(tried.output);
    }
    const int64_t own_ms = pause_ms_first << std::min(failures - 1, doublings_max);
    const int64_t pause_ms = std::min(std::max(own_ms, tried.wait_ms), pause_ms_max);
    if (!client::sleep_unless_stopped(pause_ms, run.stop)) {
      return std::move(tried.output);
    }
  }
}

Error in_step(const steps::Step& step, const Error& error) {
  return {error.kind, "step \"" + step.name + "\": " + error.message, error.detail};
}

// What the record is told of a step that is done.
std::string fields_of(const std::string& step, const std::string& kept) {
  std::string fields;
  json::Writer writer(fields);
  writer.begin_object().key("step_outputs").begin_object().key(step).raw(kept).end_object().end_object();
  return fields;
}

Status note(Task& task, std::size_t index, const steps::Step& step, const std::string& kept) {
  const std::string spend = step.credits == "0" ? "" : R"({"credits":)" + step.credits + "}";
  return task.step(std::to_string(index), fields_of(step.name, kept), spend);
}

Status run_step(Task& task, const steps::Workflow& workflow, std::size_t index, steps::Values& values) {
  const auto& step = workflow.steps[index];
  task.log("step " + step.name + " begins, " + std::to_string(index + 1) + " of " +
           std::to_string(workflow.steps.size()));
  const auto output = persist(step, values, run_of(task, workflow, step));
  if (!output) {
    return in_step(step, output.error());
  }
  const auto kept = steps::kept_of(step, *output, values);
  if (!kept) {
    return in_step(step, kept.error());
  }
  WAYBILL_TRY(values.add_step(step.name, *kept));
  return note(task, index, step, *kept);
}

}  // namespace

Result<Outcome> StepsWorker::work(Task& task) const {
  WAYBILL_TRY_ASSIGN(const auto workflow,
                     steps::find_workflow(task.tools().workflows, task.job().text("workflow_id")));
  WAYBILL_TRY_ASSIGN(const auto resume, steps::decide_resume(workflow, task.job().record()));
  if (!resume.fields.empty()) {
    WAYBILL_TRY(task.progress(resume.fields));
  }
  steps::Values values(task.job().record(), variable);
  for (std::size_t index = resume.step; index < workflow.steps.size(); ++index) {
    if (task.stop().stop_requested()) {
      return passing_trouble("STOPPED", "the worker was stopped between two steps");
    }
    WAYBILL_TRY(run_step(task, workflow, index, values));
  }
  return Outcome(Done{});
}

}  // namespace waybill::worker
