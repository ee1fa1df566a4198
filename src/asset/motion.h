#pragma once

#include <string>

#include "asset/model.h"

namespace waybill::asset {

struct MotionOptions {
  std::string clip = "idle";  // or "walk"
  double seconds = 2;
  int frames_per_second = 24;
};

// A clip for these joints that can be played round and round: it ends as it begins. "idle" breathes and
// sways, "walk" rocks from side to side with two steps a round. There must be a joint.
Clip make_clip(const std::vector<Joint>& joints, const MotionOptions& options);

}  // namespace waybill::asset
