#pragma once

#include <string>
#include <vector>

namespace waybill::cli {

// Of `waybill workflow check`.
struct WorkflowOptions {
  std::vector<std::string> files;
};

// Says what is wrong with files of workflows, with line and column. 1 where there is something.
int run_workflow_check(const WorkflowOptions& options);

}  // namespace waybill::cli
