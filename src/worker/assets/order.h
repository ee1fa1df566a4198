#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "asset/stage.h"
#include "base/json.h"
#include "base/result.h"

namespace waybill::worker::assets {

// What a job's record asks for. Plain data.
struct Order {
  std::string project_id;
  std::string job_id;
  std::string asset_type;  // "3D_CHARACTER"
  std::string asset_id;    // whose versions are made
  std::string prompt;
  int64_t seed = 0;
  asset::Stage stage = asset::Stage::text_to_image;            // where to go on
  std::set<std::string, std::less<>> review;                   // stages that people look at before it goes on
  std::map<std::string, std::string, std::less<>> parameters;  // of stages: JSON objects

  // An asset without depth is a picture: there is nothing to shape, to rig or to move.
  bool is_flat() const { return asset_type.starts_with("2D"); }
  bool skips(asset::Stage wanted) const {
    return is_flat() && wanted >= asset::Stage::shape && wanted <= asset::Stage::anim;
  }
};

// Errors as worker/trouble.h has them: ORDER_INCOMPLETE.
Result<Order> read_order(const json::Value& record);

}  // namespace waybill::worker::assets
