#pragma once

#include <cstdint>
#include <optional>
#include <string>

// What Application Auto Scaling was told of a table or an index. Kept and reported, and used to say what the
// load would cost; nothing is scaled by it, since nothing is throttled.
namespace waybill::table {

// Keeps the used share of the capacity near a target.
struct ScalingPolicy {
  std::string name;
  std::string id;  // a uuid, for its ARN
  double target_percent = 70;
  std::optional<int64_t> scale_in_cooldown_s;
  std::optional<int64_t> scale_out_cooldown_s;
  std::optional<bool> disable_scale_in;
  int64_t created_ms = 0;

  bool operator==(const ScalingPolicy&) const = default;
};

struct ScalingBounds {
  int64_t units_min = 0;
  int64_t units_max = 0;
  std::string id;  // for its ARN
  std::string role_arn;
  bool scaling_in_suspended = false;
  bool scaling_out_suspended = false;
  bool schedule_suspended = false;
  int64_t created_ms = 0;
  std::optional<ScalingPolicy> policy;

  bool operator==(const ScalingBounds&) const = default;
};

struct Scaling {
  std::optional<ScalingBounds> reads;
  std::optional<ScalingBounds> writes;

  bool empty() const { return !reads && !writes; }
};

}  // namespace waybill::table
