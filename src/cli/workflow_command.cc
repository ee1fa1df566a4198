#include "cli/workflow_command.h"

#include <iostream>

#include "worker/steps/workflows.h"

namespace waybill::cli {
namespace {

constexpr int found_errors = 1;

}  // namespace

int run_workflow_check(const WorkflowOptions& options) {
  bool is_well = true;
  for (const auto& file : options.files) {
    const auto checked = worker::steps::check_workflow(file);
    for (const auto& problem : checked.problems) {
      std::cout << contract::describe(problem, file) << "\n";
    }
    is_well = is_well && checked.problems.empty();
    if (checked.workflow) {
      std::cout << file << ": " << checked.workflow->steps.size() << " steps, "
                << checked.workflow->credits_total << " credits\n";
    }
  }
  return is_well ? 0 : found_errors;
}

}  // namespace waybill::cli
