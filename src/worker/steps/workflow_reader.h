#pragma once

#include <optional>
#include <string>

#include "contract/problem.h"
#include "worker/steps/workflow.h"

namespace waybill::worker::steps {

inline constexpr std::size_t steps_max = 64;
inline constexpr int64_t step_timeout_s_max = 86'400;
inline constexpr int64_t step_retries_max = 10;

// Reads the text of a workflow's file. What is wrong is added to `problems`, all of it at once, with line and
// column; then there is no workflow.
std::optional<Workflow> read_workflow(const std::string& text, contract::Problems& problems);

}  // namespace waybill::worker::steps
