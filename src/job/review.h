#pragma once

#include <string>

#include "job/patch.h"
#include "job/services.h"

// Reviews of steps: a worker pauses a record, a person lets it go on or rejects it.
namespace waybill::job {

struct PauseRequest {
  Target target;
  std::string lease;
  std::string step;  // "": the one that the cursor is at
  Patch patch = {};  // of the record; fields that the step's own record has go there
};

// The step waits for a decision, and the worker is free: the lease is over with it.
void pause(const Services& services, PauseRequest request, Answer<Changed> done);

// The step is good: the cursor moves on, and the record goes on to be worked on. Where steps have records,
// the step's own gets `approved_by` (the author) and ends.
void approve(const Services& services, Target target, Answer<Changed> done);

// The step is not good, and the record ends as the contract says.
void reject(const Services& services, Target target, Answer<Changed> done);

}  // namespace waybill::job
