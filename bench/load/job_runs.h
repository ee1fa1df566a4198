#pragma once

#include "base/result.h"
#include "load/options.h"

namespace waybill::load {

// Does `options.operation` on jobs and prints what was measured. Returns the exit code: 0 where every answer
// was right and as many jobs were claimed and finished as were created.
Result<int> perform_on_jobs(const Options& options);

}  // namespace waybill::load
