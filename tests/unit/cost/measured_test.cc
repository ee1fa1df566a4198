#include "cost/measured.h"

#include <gtest/gtest.h>

#include "cost/measured_json.h"

namespace waybill::cost {
namespace {

constexpr int64_t begin = 29'000'000;  // minutes since 1970

table::Table jobs() {
  table::Table table;
  table.name = "jobs";
  table.created_at_ms = begin * usage::minute_ms + 5;
  table.throughput.read_units = 25;
  table.throughput.write_units = 10;
  table::Index local;
  local.name = "local";
  local.kind = table::IndexKind::local;
  table::Index global;
  global.name = "global";
  global.throughput.read_units = 3;
  global.throughput.write_units = 4;
  table.indexes = {local, global};
  return table;
}

// Half units: 2 are 1.
usage::Minute used(uint64_t reads, uint64_t writes) {
  return {{reads, 1, reads / 2}, {writes, 2, writes}};
}

Period until(int64_t minutes) {
  return {35, (begin + minutes) * usage::minute_ms - 1};
}

TEST(MinutesOf, BeginWithTheTable) {
  EXPECT_EQ(minutes_of(jobs(), until(10)), std::pair(begin, begin + 10));
  EXPECT_EQ(minutes_of(jobs(), until(1)), std::pair(begin, begin + 1));
}

TEST(MinutesOf, GoBackAsFarAsAskedAndKept) {
  const int64_t month = 40 * usage::minutes_a_day;
  auto table = jobs();
  EXPECT_EQ(minutes_of(table, until(month)).first, begin + month - 35 * usage::minutes_a_day);
  auto period = until(month);
  period.days = 2;
  EXPECT_EQ(minutes_of(table, period).first, begin + month - 2 * usage::minutes_a_day);
  table.recovery = {true, 1, 0};
  EXPECT_EQ(minutes_of(table, period).first, begin + month - usage::minutes_a_day);
}

// A clock that was set back: a table from the future has one minute.
TEST(MinutesOf, AreOneAtLeast) {
  EXPECT_EQ(minutes_of(jobs(), until(-100)), std::pair(begin - 101, begin - 100));
}

TEST(Measure, AddsUpEachPartAndItsPeaks) {
  const std::vector<PartUsage> usage = {{10, 1000, {{begin, used(3, 8)}, {begin + 2, used(120, 2)}}},
                                        {10, 500, {{begin, used(0, 8)}}},
                                        {2, 100, {}}};
  const auto table = measure(jobs(), until(10), usage);
  EXPECT_EQ(table.minutes(), 10);
  EXPECT_FALSE(table.on_demand);
  ASSERT_EQ(table.parts.size(), 3U);
  const auto& reads = table.parts[0].reads;
  EXPECT_EQ(reads.units, 61.5);
  EXPECT_EQ(reads.requests, 2U);
  EXPECT_EQ(reads.peak_minute_units, 60);
  EXPECT_EQ(reads.peak_second_units, 30);
  EXPECT_EQ(reads.fixed_units, 25);
  EXPECT_EQ(table.parts[1].kind, PartKind::local_index);
  EXPECT_EQ(table.parts[1].writes.units, 4);
  EXPECT_EQ(table.parts[1].writes.fixed_units, std::nullopt);
  EXPECT_EQ(table.parts[1].writes.scaled_unit_minutes, 0);
  EXPECT_EQ(table.parts[2].writes.fixed_units, 4);
  EXPECT_EQ(table.parts[2].reads.scaled_unit_minutes, 10);  // 1 unit in each of 10 minutes
}

// 2,100 units of the table and 2,100 of its local index in a minute: 70 a second, so 100 units.
TEST(Measure, ALocalIndexDrawsOnItsTablesCapacity) {
  const std::vector<PartUsage> usage = {{0, 0, {{begin, used(0, 4200)}, {begin + 1, used(0, 4200)}}},
                                        {0, 0, {{begin, used(0, 4200)}}},
                                        {0, 0, {}}};
  const auto writes = measure(jobs(), until(2), usage).parts[0].writes;
  EXPECT_EQ(writes.rule.units_max, 100);
  EXPECT_EQ(writes.scaled_unit_minutes, 200);
}

TEST(Measure, TakesTheBoundsThatAreRegistered) {
  auto table = jobs();
  table.scaling.writes.emplace();
  table.scaling.writes->units_min = 10;
  table.scaling.writes->units_max = 50;
  table.billing = table::BillingMode::pay_per_request;
  const auto measured = measure(table, until(60), {{}, {}, {}});
  EXPECT_EQ(measured.parts[0].writes.scaled_unit_minutes, 600);
  EXPECT_EQ(measured.parts[0].writes.fixed_units, std::nullopt);
  EXPECT_TRUE(measured.parts[0].writes.rule.is_registered);
}

TEST(MeasuredJson, ComesBackAsItWas) {
  const std::vector<PartUsage> usage = {{10, 1000, {{begin, used(3, 8)}}}, {}, {}};
  const auto table = measure(jobs(), until(10), usage);
  const auto text = to_json({table});
  const auto back = measured_from_json(text);
  ASSERT_TRUE(back);
  EXPECT_EQ(to_json(*back), text);
  EXPECT_EQ(back->front().parts[0].reads.fixed_units, 25);
}

TEST(MeasuredJson, NamesWhatIsWrong) {
  EXPECT_NE(measured_from_json("{}").error().message.find("tables"), std::string::npos);
  EXPECT_NE(measured_from_json(R"({"tables":[{"name":1}]})").error().message.find("name"), std::string::npos);
  EXPECT_FALSE(measured_from_json("["));
}

}  // namespace
}  // namespace waybill::cost
