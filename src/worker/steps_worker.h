#pragma once

#include "worker/worker.h"

namespace waybill::worker {

// Runs workflows step by step. What a job's workflow consists of is said by a file of the folder
// Tools::workflows, never by the job. After each step the record's cursor moves, its output is kept and its
// credits are spent, all in one commit: a later attempt goes on behind it. A step that was under way when its
// worker was lost runs again, with the same idempotency key.
class StepsWorker final : public Worker {
 public:
  Result<Outcome> work(Task& task) const override;
};

}  // namespace waybill::worker
