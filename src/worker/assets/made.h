#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "asset/provider.h"
#include "base/json.h"
#include "base/result.h"

// What stages have made, as the records of steps keep it.
namespace waybill::worker::assets {

// A file of a stage in the bucket.
struct Artifact {
  std::string name;  // "3d.glb"
  std::string key;
  std::string media_type;
  int64_t bytes = 0;
  std::string sha256;  // in hexadecimal digits

  bool operator==(const Artifact&) const = default;
};

struct Made {
  std::string stage;
  std::string job_id;  // for which it was made first
  std::string status;  // of the step
  std::vector<Artifact> artifacts;
  std::vector<asset::Metric> metrics;
};

// The metric of how long it took. It is another one each time, and no part of what is made of it later.
inline constexpr std::string_view elapsed_metric = "elapsed_ms";

// The record of a step, or what is there of one.
Made read_made(const json::Value& step);

// Of a list of records of steps, oldest first: the last one of each stage. Error malformed where it is none.
Result<std::vector<Made>> read_made_list(std::string_view body);

// {"artifacts": […], "metrics": {…}}
std::string step_fields(const Made& made);

// Null where there is none of that stage.
const Made* find(const std::vector<Made>& all, std::string_view stage);

}  // namespace waybill::worker::assets
