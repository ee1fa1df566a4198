#include "table/restore_rules.h"

#include <gtest/gtest.h>

namespace waybill::table {
namespace {

Index index_on(std::string name, IndexKind kind, std::string partition, std::string sort) {
  Index index;
  index.name = std::move(name);
  index.kind = kind;
  index.key.partition = {std::move(partition), item::Type::string};
  index.key.sort = KeyAttribute{std::move(sort), item::Type::number};
  return index;
}

Table source() {
  Table table;
  table.name = "source";
  table.key.partition = {"id", item::Type::string};
  table.key.sort = KeyAttribute{"n", item::Type::number};
  table.attribute_definitions = {{"id", item::Type::string},
                                 {"n", item::Type::number},
                                 {"owner", item::Type::string},
                                 {"at", item::Type::number}};
  table.indexes = {index_on("local", IndexKind::local, "id", "at"),
                   index_on("global", IndexKind::global, "owner", "at")};
  table.indexes[1].projection = {ProjectionKind::include, {"b", "a"}};
  table.indexes[1].throughput = {3, 4, 0, 0, 0};
  table.throughput = {1, 2, 0, 0, 0};
  table.ttl.attribute = "ttl";
  table.tags = {{"k", "v"}};
  table.stream.enabled = true;
  table.recovery.enabled = true;
  table.deletion_protection = true;
  return table;
}

WantedIndex as_in_source() {
  WantedIndex index;
  index.name = "global";
  index.key = {{"owner", false}, {"at", true}};
  index.projection = {ProjectionKind::include, std::vector<std::string>{"a", "b"}};
  return index;
}

TEST(RestoreRules, KeysIndexesAndThroughputComeAlongAndNothingElse) {
  WantedRestore wanted;
  wanted.name = "copy";
  const auto made = make_restored(source(), wanted, 77);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->name, "copy");
  EXPECT_EQ(made->created_at_ms, 77);
  EXPECT_EQ(made->indexes.size(), 2U);
  EXPECT_EQ(made->throughput.write_units, 2);
  EXPECT_EQ(made->indexes[1].throughput.read_units, 3);
  EXPECT_EQ(made->attribute_definitions.size(), 4U);
  EXPECT_FALSE(made->ttl.enabled());
  EXPECT_TRUE(made->tags.empty());
  EXPECT_FALSE(made->stream.enabled);
  EXPECT_FALSE(made->recovery.enabled);
  EXPECT_FALSE(made->deletion_protection);
}

TEST(RestoreRules, IndexesCanBeLeftOut) {
  WantedRestore wanted;
  wanted.name = "copy";
  wanted.local_indexes.emplace();
  wanted.global_indexes = std::vector{as_in_source()};
  const auto made = make_restored(source(), wanted, 0);
  ASSERT_TRUE(made) << made.error().message;
  ASSERT_EQ(made->indexes.size(), 1U);
  EXPECT_EQ(made->indexes[0].throughput.write_units, 4);
  wanted.global_indexes->clear();
  const auto bare = make_restored(source(), wanted, 0);
  ASSERT_TRUE(bare);
  EXPECT_EQ(bare->attribute_definitions.size(), 2U);
}

TEST(RestoreRules, IndexesCanNotBeOtherThanInTheSource) {
  WantedRestore wanted;
  wanted.name = "copy";
  wanted.global_indexes = std::vector{as_in_source()};
  auto& index = wanted.global_indexes->front();
  index.name = "local";
  EXPECT_FALSE(make_restored(source(), wanted, 0));
  index.name = "global";
  index.key[0].name = "n";
  EXPECT_FALSE(make_restored(source(), wanted, 0));
  index = as_in_source();
  index.projection = {ProjectionKind::all, std::nullopt};
  EXPECT_FALSE(make_restored(source(), wanted, 0));
  wanted.global_indexes = std::vector{as_in_source(), as_in_source()};
  EXPECT_FALSE(make_restored(source(), wanted, 0));
}

TEST(RestoreRules, BillingCanBeOther) {
  WantedRestore wanted;
  wanted.name = "copy";
  wanted.billing = BillingMode::pay_per_request;
  auto made = make_restored(source(), wanted, 5);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->on_demand_since_ms, 5);
  EXPECT_EQ(made->throughput.read_units, 0);
  EXPECT_EQ(made->indexes[1].throughput.read_units, 0);
  wanted.throughput = CapacityUnits{1, 1};
  EXPECT_FALSE(make_restored(source(), wanted, 5));
  wanted.billing = BillingMode::provisioned;
  made = make_restored(source(), wanted, 5);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->throughput.write_units, 1);
  auto on_demand = source();
  on_demand.billing = BillingMode::pay_per_request;
  on_demand.throughput = {};
  wanted.throughput.reset();
  EXPECT_FALSE(make_restored(on_demand, wanted, 5)) << "there are no units to take over";
}

}  // namespace
}  // namespace waybill::table
