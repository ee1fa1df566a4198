#include "cost/estimate.h"

#include <gtest/gtest.h>

// Sums that were worked out by hand from the prices of share/prices.json.
namespace waybill::cost {
namespace {

// An hour of 7,200 read units and 3,600 write units, on 3 and 2 units of scaled capacity on average.
MeasuredTable an_hour() {
  MeasuredTable table;
  table.name = "jobs";
  table.table_class = "STANDARD";
  table.begin_minute = 29'000'000;
  table.end_minute = table.begin_minute + 60;
  MeasuredPart part;
  part.reads.units = 7200;
  part.reads.scaled_unit_minutes = 180;
  part.reads.fixed_units = 25;
  part.writes.units = 3600;
  part.writes.scaled_unit_minutes = 120;
  part.writes.fixed_units = 10;
  part.bytes = (1LL << 30) - 100'000;
  part.items = 1000;
  table.parts.push_back(part);
  return table;
}

TEST(Estimate, OnDemandIsUnitsByTheMillion) {
  const auto bill = estimate(an_hour(), built_in_prices());
  EXPECT_NEAR(bill.on_demand.reads, 0.657, 1e-9);    // 7,200 * 730 = 5.256 million at 0.125
  EXPECT_NEAR(bill.on_demand.writes, 1.6425, 1e-9);  // 3,600 * 730 = 2.628 million at 0.625
}

TEST(Estimate, ProvisionedIsUnitsByTheHour) {
  const auto bill = estimate(an_hour(), built_in_prices());
  EXPECT_NEAR(bill.scaled.reads, 0.2847, 1e-9);  // 3 * 730 * 0.00013
  EXPECT_NEAR(bill.scaled.writes, 0.949, 1e-9);  // 2 * 730 * 0.00065
  ASSERT_TRUE(bill.fixed);
  EXPECT_NEAR(bill.fixed->reads, 2.3725, 1e-9);  // 25 * 730 * 0.00013
  EXPECT_NEAR(bill.fixed->writes, 4.745, 1e-9);  // 10 * 730 * 0.00065
}

TEST(Estimate, StorageHasAHundredBytesMoreForEachItem) {
  EXPECT_EQ(stored_bytes(an_hour()), 1LL << 30);
  EXPECT_NEAR(estimate(an_hour(), built_in_prices()).storage, 0.25, 1e-9);
}

TEST(Estimate, NamesTheCheapestAndTheNext) {
  const auto bill = estimate(an_hour(), built_in_prices());
  EXPECT_EQ(bill.cheapest(), Mode::scaled);
  EXPECT_EQ(bill.next_cheapest(), Mode::on_demand);
  EXPECT_NEAR(bill.of(Mode::scaled), 1.4837, 1e-9);
  EXPECT_NEAR(bill.of(Mode::on_demand) - bill.of(Mode::scaled), 1.0658, 1e-9);
  EXPECT_NEAR(bill.of(Mode::fixed), 7.3675, 1e-9);
}

TEST(Estimate, TheClassHasItsOwnPrices) {
  auto table = an_hour();
  table.table_class = "STANDARD_INFREQUENT_ACCESS";
  const auto bill = estimate(table, built_in_prices());
  EXPECT_NEAR(bill.on_demand.writes, 2.628 * 0.78, 1e-9);
  EXPECT_NEAR(bill.storage, 0.1, 1e-9);
}

TEST(Estimate, ATableOnDemandHasNoFixedUnits) {
  auto table = an_hour();
  table.on_demand = true;
  const auto bill = estimate(table, built_in_prices());
  EXPECT_FALSE(bill.fixed);
  EXPECT_EQ(bill.next_cheapest(), Mode::on_demand);
}

TEST(Estimate, IndexesAreAddedToTheirTable) {
  auto table = an_hour();
  table.parts.push_back(table.parts.front());
  table.parts.back().kind = PartKind::global_index;
  const auto bill = estimate(table, built_in_prices());
  EXPECT_NEAR(bill.on_demand.total(), 2 * 2.2995, 1e-9);
  EXPECT_NEAR(bill.fixed->total(), 2 * 7.1175, 1e-9);
  EXPECT_NEAR(bill.storage, 0.5, 1e-9);
}

TEST(Total, IsTheSumOfAllAndFixedOnlyWhereAllAre) {
  const auto provisioned = estimate(an_hour(), built_in_prices());
  auto table = an_hour();
  table.on_demand = true;
  const auto on_demand = estimate(table, built_in_prices());
  EXPECT_NEAR(total({provisioned, provisioned}).of(Mode::fixed), 14.735, 1e-9);
  const auto mixed = total({provisioned, on_demand});
  EXPECT_FALSE(mixed.fixed);
  EXPECT_NEAR(mixed.of(Mode::on_demand), 2 * 2.5495, 1e-9);
}

}  // namespace
}  // namespace waybill::cost
