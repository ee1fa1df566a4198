#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

namespace waybill::worker::steps {

// What a step has to know of its job while it runs.
struct StepRun {
  std::string job_id;
  std::string workflow;
  std::string step;
  std::string idempotency_key;  // the same for every run of this step of this job: "JOB/STEP"
  int64_t attempt = 1;
  std::string folder;              // for files, of the job alone
  std::string programs;            // the workflow's folder: programs that begin with "./" are there
  std::vector<std::string> guard;  // the command line of a program that runs guard_main()
  std::stop_token stop;
  const Clock* clock = nullptr;
};

// What a step has given, and how long it asks to wait before it is tried again.
struct Attempt {
  Result<std::string> output;  // a JSON object: {"status", "body"} or {"exit", "stdout"}
  int64_t wait_ms = 0;         // 0: it does not say
};

}  // namespace waybill::worker::steps
