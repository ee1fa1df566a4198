#pragma once

#include <string>
#include <vector>

#include "asset/provider.h"
#include "base/result.h"
#include "worker/assets/made.h"
#include "worker/assets/order.h"
#include "worker/assets/stage_key.h"
#include "worker/task.h"

namespace waybill::worker::assets {

// Where the stages of one job are made: files come from the bucket and go to it, and what was made before is
// not made again. Errors as worker/trouble.h has them.
//
// Thread safety: one thread, that of the task.
class Workshop {
 public:
  // All outlive it.
  Workshop(Task& task, const Order& order, asset::Provider& provider, std::string bucket)
      : task_(task), order_(order), provider_(provider), bucket_(std::move(bucket)) {}

  const std::string& bucket() const { return bucket_; }

  // The stage, from what those before it have made. When this returns the artifacts are in the bucket.
  Result<Made> make(asset::Stage stage, const std::vector<Made>& before);

 private:
  Result<Made> claim(const StageWork& work);
  Result<bool> is_whole(const Made& made);
  Result<std::vector<asset::Input>> fetch_inputs(const std::vector<Made>& before);
  Result<asset::Product> run(const StageWork& work, const std::vector<Made>& before);
  Result<Made> keep(const StageWork& work, const asset::Product& product);

  Task& task_;
  const Order& order_;
  asset::Provider& provider_;
  const std::string bucket_;
};

}  // namespace waybill::worker::assets
