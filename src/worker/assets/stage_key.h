#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "worker/assets/made.h"
#include "worker/assets/order.h"

// By what a stage is known to be the same as an earlier one. Pure.
namespace waybill::worker::assets {

// One stage of an order, ready to be run.
struct StageWork {
  std::string stage;
  std::string inputs;         // JSON: prompt, parameters, and what the stages before have made
  std::string model_version;  // of the provider
};

// `before`: what the stages before it have made, in their order.
StageWork stage_work(const Order& order, asset::Stage stage, const std::vector<Made>& before,
                     std::string_view model_version);

// The hash of project, asset type, step, inputs, seed and model version, in hexadecimal digits: what is the
// same in all of them is the same artifact, and lies under the same key.
std::string stage_key(const Order& order, const StageWork& work);

// The step's record with the fields that its idempotency key is made of.
std::string step_request(const Order& order, const StageWork& work);

// Where an artifact lies: "PROJECT/STAGE/HASH/NAME".
std::string artifact_key(const Order& order, const StageWork& work, std::string_view name);

}  // namespace waybill::worker::assets
