#pragma once

#include <cstdint>
#include <string>

#include "job/services.h"

namespace waybill::job {

struct ReleaseRequest {
  Target target;
  std::string lease;
  int64_t wait_ms = 0;  // before somebody else gets it
  // What stood in the way; "": nothing, the worker has to go. With it the attempt counts, and the record says
  // why; without it is as if the worker had never had it.
  std::string code = {};
  std::string message = {};
  std::string stack = {};
};

// Gives a record back: it stays in its state, and the next worker goes on with it.
void release(const Services& services, ReleaseRequest request, Answer<Changed> done);

}  // namespace waybill::job
