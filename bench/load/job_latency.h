#pragma once

#include <cstdint>

#include "base/result.h"
#include "load/dialect.h"
#include "load/run.h"

namespace waybill::load {

struct JobLatencyOptions {
  std::size_t workers = 64;
  double rate = 0;  // jobs a second
  int64_t warmup_ns = 0;
  int64_t measure_ns = 0;
  uint64_t first = 0;  // the number of the first job
};

// How long jobs take from their creation to workers that wait for them.
//
// Jobs are created at a rate, whatever becomes of them; each worker has a connection of its own, waits in a
// long poll, and takes what it gets through its steps to the end. `latency` of the result counts from when a
// job was due to be created to the answer of the claim; `steps` has the requests by themselves. An Error also
// where a job that nobody created is claimed, or one twice.
Result<RunStats> measure_job_latency(Dialect& dialect, const Target& target,
                                     const JobLatencyOptions& options);

}  // namespace waybill::load
