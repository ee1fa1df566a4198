#pragma once

#include <cstddef>
#include <string>

#include "base/json.h"
#include "base/result.h"
#include "worker/steps/workflow.h"

namespace waybill::worker::steps {

// Where an attempt begins.
struct Resume {
  std::size_t step = 0;  // index of the first step to run; behind the last one where all are done
  std::string fields;    // what the record is to be told before, a JSON object; "" where it knows
};

// Decides from the record where to go on. Pure.
//
// The record is told how many steps there are, their names, and what they are estimated to cost where nobody
// has said so. Names are kept so that a workflow whose file was changed is noticed: steps that are done must
// be the same, those to come may be others. WORKFLOW_CHANGED otherwise, which is final.
Result<Resume> decide_resume(const Workflow& workflow, const json::Value& record);

}  // namespace waybill::worker::steps
