#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "load/message_workload.h"
#include "load/random.h"
#include "load/workload.h"

namespace waybill::load {

struct JobWorkloadOptions {
  bool is_worked_on = true;  // false: jobs are created and wait
  uint32_t steps = 0;        // that are recorded of each
  uint64_t first = 0;        // the number of the first job that is created
  uint64_t count = 0;        // how many are created at most
};

// Jobs created, claimed, taken through their steps and finished, one after the other on each connection. The
// one that is claimed need not be the one that was created: the oldest comes first. In the ledger they are
// messages.
class JobWorkload final : public Workload {
 public:
  JobWorkload(const JobWorkloadOptions& options, MessageLedger& ledger)
      : options_(options), ledger_(ledger) {}

  bool next(Request& request) override;
  void finished(const Request& request, Outcome outcome) override;

 private:
  bool next_job(Request& request);

  JobWorkloadOptions options_;
  MessageLedger& ledger_;
  uint64_t given_ = 0;
};

// What a worker that has claimed a job does with it next.
void continue_job(Request& request, uint32_t steps);

// Paths read over and over, in an order by chance.
class AskWorkload final : public Workload {
 public:
  explicit AskWorkload(std::vector<std::string> paths) : paths_(std::move(paths)), random_(1) {}

  bool next(Request& request) override;
  void finished(const Request&, Outcome) override {}

 private:
  std::vector<std::string> paths_;
  Random random_;
};

}  // namespace waybill::load
