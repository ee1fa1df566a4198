#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "contract/problem.h"
#include "worker/steps/workflow.h"

// The folder with the files of workflows: NAME.yaml is the workflow of that name.
namespace waybill::worker::steps {

inline constexpr std::size_t workflow_bytes_max = std::size_t{1} << 20;

// What is wrong with one file, and the workflow where nothing is.
struct CheckedWorkflow {
  std::optional<Workflow> workflow;
  contract::Problems problems;
};
CheckedWorkflow check_workflow(const std::string& path);

// Whether all files of the folder are as they should be. Error invalid has a line for each problem:
// "FILE:12:7: error: …".
Status check_workflows(const std::string& folder);

// Read anew with every call, so that a file that is changed or added counts from the next job on.
// WORKFLOW_UNKNOWN where there is no such file, which is final; WORKFLOW_BROKEN where it cannot be read or is
// wrong: somebody may mend it.
Result<Workflow> find_workflow(const std::string& folder, std::string_view name);

}  // namespace waybill::worker::steps
