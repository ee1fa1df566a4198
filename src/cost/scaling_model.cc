#include "cost/scaling_model.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace waybill::cost {
namespace {

constexpr double seconds_a_minute = 60;
constexpr double seconds_saved_max = 300;
constexpr int minutes_before_out = 2;
constexpr int minutes_before_in = 15;
constexpr double points_below_target = 0.2;
constexpr double default_target = 0.7;
constexpr double percent = 100;

// Without what dividing in binary adds: 0.7 * 60 / 0.7 is 60, not a little more.
int64_t rounded_up(double units) {
  constexpr double slack = 1e-9;
  return static_cast<int64_t>(std::ceil(units - slack));
}

}  // namespace

ScalingRule scaling_rule(const std::optional<table::ScalingBounds>& bounds, double busiest_minute_units) {
  ScalingRule rule;
  rule.target = bounds && bounds->policy ? bounds->policy->target_percent / percent : default_target;
  if (bounds) {
    rule.units_min = std::max<int64_t>(bounds->units_min, 1);
    rule.units_max = std::max(bounds->units_max, rule.units_min);
    rule.is_registered = true;
    return rule;
  }
  rule.units_max = std::max<int64_t>(1, rounded_up(busiest_minute_units / seconds_a_minute / rule.target));
  return rule;
}

int64_t units_needed(const ScalingRule& rule, double minute_units) {
  return std::clamp(rounded_up(minute_units / seconds_a_minute / rule.target), rule.units_min,
                    rule.units_max);
}

void ScalingModel::add_minute(double units, double peak_second_units) {
  if (capacity_ == 0) {
    capacity_ = units_needed(rule_, units);
    saved_units_ = static_cast<double>(capacity_) * seconds_saved_max;
  }
  unit_minutes_ += static_cast<double>(capacity_);
  units_largest_ = std::max(units_largest_, capacity_);
  spend(units, peak_second_units);
  follow(units);
}

void ScalingModel::spend(double units, double peak_second_units) {
  const auto a_second = static_cast<double>(capacity_);
  const double a_minute = a_second * seconds_a_minute;
  if (units > a_minute + saved_units_ || peak_second_units > a_second + saved_units_) {
    ++minutes_short_;
  }
  saved_units_ = std::clamp(saved_units_ + a_minute - units, 0.0, a_second * seconds_saved_max);
}

void ScalingModel::follow(double units) {
  const double used = units / (static_cast<double>(capacity_) * seconds_a_minute);
  const bool is_low = used < rule_.target - points_below_target;
  minutes_high_ = used > rule_.target ? minutes_high_ + 1 : 0;
  busiest_low_minute_ = minutes_low_ == 0 ? units : std::max(busiest_low_minute_, units);
  minutes_low_ = is_low ? minutes_low_ + 1 : 0;
  if (minutes_high_ >= minutes_before_out) {
    capacity_ = std::max(capacity_, units_needed(rule_, units));
    minutes_high_ = 0;
  } else if (minutes_low_ >= minutes_before_in) {
    capacity_ = std::min(capacity_, units_needed(rule_, busiest_low_minute_));
    minutes_low_ = 0;
  }
}

}  // namespace waybill::cost
