#pragma once

#include <map>
#include <string>

#include "job/patch.h"
#include "job/services.h"

namespace waybill::job {

struct StepRequest {
  Target target;
  std::string lease;
  std::string step;  // the one that is done: its index as text, or its name
  Patch patch = {};  // of the record; fields that the step's own record has go there
  std::map<std::string, std::string> spend = {};  // by counter of the contract: how much more is spent
};

// Notes that a step is done: the cursor moves on by one. One that was noted before is answered with
// `repeated`, and nothing is spent again. Error condition_failed with rule "steps" where steps before it are
// not done.
void step(const Services& services, StepRequest request, Answer<Changed> done);

}  // namespace waybill::job
