#pragma once

#include <cstddef>

#include "base/result.h"
#include "load/jobs_dialect.h"
#include "load/pool.h"
#include "load/run.h"
#include "load/samples.h"
#include "load/workload.h"

namespace waybill::load {

// Drives a workload as processes do that work on many jobs at a time: each connection belongs to `workers`
// of them, and sends what they want next together (POST /v1/batch). A closed loop: the next batch goes out
// when all answers of the last one have come. Latency is that of the batch.
Result<RunStats> drive_in_batches(Pool& pool, JobsDialect& dialect, Workload& workload, Samples& samples,
                                  const RunOptions& options, std::size_t workers);

}  // namespace waybill::load
