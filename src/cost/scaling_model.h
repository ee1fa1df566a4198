#pragma once

#include <cstdint>

#include "table/scaling.h"

namespace waybill::cost {

// Between which units auto scaling moves, and which share of them it wants used.
struct ScalingRule {
  int64_t units_min = 1;
  int64_t units_max = 1;
  double target = 0.7;
  bool is_registered = false;  // else made up from the load
};

// What Application Auto Scaling was told, or, where it was told nothing: from 1 unit to what the busiest
// minute needs, with a target of 70 %.
ScalingRule scaling_rule(const std::optional<table::ScalingBounds>& bounds, double busiest_minute_units);

// The units a second that use `target` of themselves for a minute's load: rounded up, within the bounds.
int64_t units_needed(const ScalingRule& rule, double minute_units);

// Follows a load minute by minute as target tracking does:
//   - after 2 minutes in a row that used more than the target, capacity becomes what the last of them needs;
//   - after 15 minutes in a row that used less than the target less 20 points, what the busiest of them
//   needs.
// It begins with what the first minute needs. Changes hold from the next minute on. Capacity that was not
// used in the last 300 seconds can be used later, in bursts; it begins with all of that.
class ScalingModel {
 public:
  explicit ScalingModel(const ScalingRule& rule) : rule_(rule) {}

  // The next minute's units, and those of its busiest second. Every minute of the period is told, in order,
  // also those without any.
  void add_minute(double units, double peak_second_units);

  double unit_minutes() const { return unit_minutes_; }  // of capacity, to be paid for
  int64_t units_largest() const { return units_largest_; }
  // Minutes that used more than there was, as a whole or in their busiest second: throttled, on the service.
  int64_t minutes_short() const { return minutes_short_; }

 private:
  void spend(double units, double peak_second_units);
  void follow(double units);

  const ScalingRule rule_;
  int64_t capacity_ = 0;
  int minutes_high_ = 0;
  int minutes_low_ = 0;
  double busiest_low_minute_ = 0;
  double saved_units_ = 0;  // for bursts
  double unit_minutes_ = 0;
  int64_t units_largest_ = 0;
  int64_t minutes_short_ = 0;
};

}  // namespace waybill::cost
