#pragma once

#include <string>

#include "job/patch.h"
#include "job/services.h"

namespace waybill::job {

struct ProgressRequest {
  Target target;
  std::string lease;
  Patch patch;
};

// Changes fields of a record that the worker holds. A status among them is a plain move (PROCESSING to
// EDITING).
void progress(const Services& services, ProgressRequest request, Answer<Changed> done);

}  // namespace waybill::job
