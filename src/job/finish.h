#pragma once

#include <string>

#include "job/patch.h"
#include "job/services.h"

namespace waybill::job {

struct FinishRequest {
  Target target;
  std::string lease;
  Patch patch = {};
};

// The work is done: the record moves to where the contract says, its message is deleted, what was reserved is
// released. Answered with `repeated` where it is there already.
void finish(const Services& services, FinishRequest request, Answer<Changed> done);

}  // namespace waybill::job
