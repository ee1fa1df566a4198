#include "cost/scaling_model.h"

#include <gtest/gtest.h>

#include <optional>

namespace waybill::cost {
namespace {

table::ScalingBounds bounds(int64_t least, int64_t most, std::optional<double> target_percent) {
  table::ScalingBounds made;
  made.units_min = least;
  made.units_max = most;
  if (target_percent) {
    made.policy.emplace();
    made.policy->target_percent = *target_percent;
  }
  return made;
}

void add(ScalingModel& model, int minutes, double units) {
  for (int i = 0; i < minutes; ++i) {
    model.add_minute(units, 0);
  }
}

TEST(ScalingRule, TakesWhatIsRegistered) {
  const auto rule = scaling_rule(bounds(25, 100, 50), 0);
  EXPECT_EQ(rule.units_min, 25);
  EXPECT_EQ(rule.units_max, 100);
  EXPECT_EQ(rule.target, 0.5);
  EXPECT_TRUE(rule.is_registered);
  EXPECT_EQ(scaling_rule(bounds(25, 100, std::nullopt), 0).target, 0.7);
}

// 4,200 units in a minute are 70 a second; 70 % of 100 units.
TEST(ScalingRule, ReachesFromOneToTheBusiestMinuteWhereNothingIsRegistered) {
  const auto rule = scaling_rule(std::nullopt, 4200);
  EXPECT_EQ(rule.units_min, 1);
  EXPECT_EQ(rule.units_max, 100);
  EXPECT_EQ(rule.target, 0.7);
  EXPECT_FALSE(rule.is_registered);
  EXPECT_EQ(scaling_rule(std::nullopt, 4201).units_max, 101);
  EXPECT_EQ(scaling_rule(std::nullopt, 0).units_max, 1);
}

TEST(ScalingRule, NeedsStayWithinTheBounds) {
  const ScalingRule rule{5, 20, 0.7, true};
  EXPECT_EQ(units_needed(rule, 0), 5);
  EXPECT_EQ(units_needed(rule, 420), 10);
  EXPECT_EQ(units_needed(rule, 421), 11);
  EXPECT_EQ(units_needed(rule, 100'000), 20);
}

TEST(ScalingModel, BeginsWithWhatTheFirstMinuteNeeds) {
  ScalingModel model({5, 100, 0.7, true});
  model.add_minute(420, 0);
  EXPECT_EQ(model.unit_minutes(), 10);
  EXPECT_EQ(model.minutes_short(), 0);
}

// 420 units a minute are 140 % of 5 units a second; 10 are needed.
TEST(ScalingModel, GoesOutAfterTwoBusyMinutes) {
  ScalingModel model({5, 100, 0.7, true});
  add(model, 1, 0);
  add(model, 2, 420);
  EXPECT_EQ(model.unit_minutes(), 15);
  add(model, 1, 420);
  EXPECT_EQ(model.unit_minutes(), 25);
  EXPECT_EQ(model.units_largest(), 10);
}

// 5 units have 300 a minute and 1,500 saved: 300 more than there are can be used for five minutes.
TEST(ScalingModel, BurstsAreAllowedAsLongAsSomethingIsSaved) {
  ScalingModel model({5, 5, 0.7, true});
  add(model, 5, 600);
  EXPECT_EQ(model.minutes_short(), 0);
  add(model, 1, 600);
  EXPECT_EQ(model.minutes_short(), 1);
  model.add_minute(100, 5);  // leaves 200
  model.add_minute(0, 205);  // and 300 more
  EXPECT_EQ(model.minutes_short(), 1);
  model.add_minute(0, 506);
  EXPECT_EQ(model.minutes_short(), 2);
}

TEST(ScalingModel, OneBusyMinuteChangesNothing) {
  ScalingModel model({5, 100, 0.7, true});
  for (int i = 0; i < 10; ++i) {
    add(model, 1, 0);
    add(model, 1, 420);
  }
  EXPECT_EQ(model.unit_minutes(), 100);
  EXPECT_EQ(model.units_largest(), 5);
}

TEST(ScalingModel, GoesInAfterFifteenQuietMinutesToWhatTheBusiestOfThemNeeds) {
  ScalingModel model({1, 100, 0.7, true});
  add(model, 1, 4200);  // 100 units
  add(model, 14, 42);
  add(model, 1, 420);  // needs 10
  EXPECT_EQ(model.unit_minutes(), 1600);
  add(model, 1, 0);
  EXPECT_EQ(model.unit_minutes(), 1610);
}

TEST(ScalingModel, StaysWhereUseIsNotFarBelowTheTarget) {
  ScalingModel model({1, 100, 0.7, true});
  add(model, 1, 4200);
  add(model, 60, 3000);  // 50 %
  EXPECT_EQ(model.unit_minutes(), 6100);
}

TEST(ScalingModel, NeverLeavesTheBounds) {
  ScalingModel model({10, 50, 0.7, true});
  add(model, 5, 60'000);
  EXPECT_EQ(model.units_largest(), 50);
  EXPECT_EQ(model.minutes_short(), 5);
  add(model, 100, 0);
  // Five minutes and fifteen more at 50, the other 85 at 10.
  EXPECT_EQ(model.unit_minutes(), 20 * 50 + 85 * 10);
}

}  // namespace
}  // namespace waybill::cost
