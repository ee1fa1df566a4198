#pragma once

#include "base/result.h"
#include "load/options.h"

namespace waybill::load {

// Does `options.operation` on a queue and prints what was measured, a line for each of several steps. Returns
// the exit code: 0 where every answer was right and no message is left over.
Result<int> perform_on_queue(const Options& options);

}  // namespace waybill::load
