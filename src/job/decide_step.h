#pragma once

#include <string>

#include "contract/model.h"
#include "job/draft.h"

// How the cursor of a record's steps moves. Pure.
namespace waybill::job {

enum class StepKind : unsigned char {
  next,      // the draft has the cursor behind the step
  last,      // it was the last of the steps that have names: the cursor stays
  repeated,  // it was noted before
};

// `step`: the index or the name of the step that is done; "": the one that the cursor is at. Errors: invalid
// where there is no such step, condition_failed with rule "steps" where it is not its turn.
Result<StepKind> advance(const contract::Record& record, Draft& draft, const std::string& step);

// The step that the cursor is at: its index or its name.
std::string current_step(const contract::Record& record, Draft& draft);

}  // namespace waybill::job
