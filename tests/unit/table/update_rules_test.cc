#include "table/update_rules.h"

#include <gtest/gtest.h>

namespace waybill::table {
namespace {

constexpr int64_t noon_ms = 1'700'000'000'000;

Table provisioned_table() {
  Table table;
  table.name = "jobs";
  table.key.partition = {"h", item::Type::string};
  table.attribute_definitions = {{"h", item::Type::string}};
  table.throughput.read_units = 5;
  table.throughput.write_units = 5;
  return table;
}

WantedChange create_index_change() {
  WantedIndex index;
  index.name = "by-owner";
  index.key = {{"owner", false}};
  index.projection.kind = ProjectionKind::keys_only;
  index.throughput = CapacityUnits{1, 2};
  WantedChange change;
  change.definitions = {
      {"owner", item::Type::number}, {"h", item::Type::binary}, {"stale", item::Type::string}};
  change.indexes = {IndexChange{index, {}, {}}};
  return change;
}

TEST(UpdateRules, AddsAnIndexAndItsDefinition) {
  const auto table = apply_change(provisioned_table(), create_index_change(), noon_ms);
  ASSERT_TRUE(table);
  ASSERT_EQ(table->indexes.size(), 1U);
  EXPECT_TRUE(table->indexes[0].backfilling);
  EXPECT_EQ(table->indexes[0].space, 0U);
  EXPECT_EQ(table->indexes[0].key.partition.type, item::Type::number);
  // What is known already stays what it is; what no key uses is left out.
  ASSERT_EQ(table->attribute_definitions.size(), 2U);
  EXPECT_EQ(table->attribute_definitions[0].type, item::Type::string);
}

TEST(UpdateRules, DropsAnIndexAndItsDefinition) {
  const auto with = apply_change(provisioned_table(), create_index_change(), noon_ms);
  WantedChange change;
  change.indexes = {IndexChange{{}, {}, "by-owner"}};
  const auto without = apply_change(*with, change, noon_ms);
  ASSERT_TRUE(without);
  EXPECT_TRUE(without->indexes.empty());
  EXPECT_EQ(without->attribute_definitions.size(), 1U);
  EXPECT_EQ(apply_change(*without, change, noon_ms).error().kind, ErrorKind::not_found);
}

TEST(UpdateRules, CountsDecreasesByTheDay) {
  WantedChange change;
  change.throughput = CapacityUnits{4, 5};
  auto table = *apply_change(provisioned_table(), change, noon_ms);
  EXPECT_EQ(table.throughput.decreases_today, 1);
  EXPECT_EQ(table.throughput.last_decrease_ms, noon_ms);
  change.throughput = CapacityUnits{3, 9};
  table = *apply_change(table, change, noon_ms + 1000);
  EXPECT_EQ(table.throughput.decreases_today, 2);
  EXPECT_EQ(table.throughput.last_increase_ms, noon_ms + 1000);
  change.throughput = CapacityUnits{2, 9};
  table = *apply_change(table, change, noon_ms + 24 * 3600 * 1000);
  EXPECT_EQ(table.throughput.decreases_today, 1);
  EXPECT_FALSE(apply_change(table, change, noon_ms));  // equal to what it is
}

TEST(UpdateRules, OneOnlineIndexAtATime) {
  auto change = create_index_change();
  change.indexes.push_back(IndexChange{{}, {}, "other"});
  EXPECT_EQ(check_change(change).error().kind, ErrorKind::limit_exceeded);
  change.indexes = {IndexChange{}};
  EXPECT_FALSE(check_change(change));
}

TEST(UpdateRules, LimitsAreSetAndTakenAway) {
  auto table = provisioned_table();
  WantedChange change;
  change.limits = WantedLimits{7, {}};
  EXPECT_FALSE(apply_change(table, change, noon_ms));
  table.billing = BillingMode::pay_per_request;
  table = *apply_change(table, change, noon_ms);
  EXPECT_EQ(table.on_demand_limits->read_units_max, 7);
  EXPECT_EQ(table.on_demand_limits->write_units_max, -1);
  change.limits = WantedLimits{-1, {}};
  EXPECT_FALSE(apply_change(table, change, noon_ms)->on_demand_limits);
}

}  // namespace
}  // namespace waybill::table
