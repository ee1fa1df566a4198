#pragma once

#include "worker/worker.h"

namespace waybill::worker {

// Makes assets in seven stages, from a prompt to an archive. Each stage leaves its artifacts in the bucket,
// the record of its step with artifacts and metrics, and a version of the asset; where the job says so it
// waits for people to decide. A stage with the same inputs as an earlier one of the project takes what that
// one has made.
class AssetsWorker final : public Worker {
 public:
  Result<Outcome> work(Task& task) const override;
};

}  // namespace waybill::worker
