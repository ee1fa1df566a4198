#include "table/table.h"

#include <gtest/gtest.h>

#include "table/backup.h"
#include "table/restore_rules.h"

namespace waybill::table {
namespace {

Scaling full_scaling() {
  ScalingBounds bounds{2, 3, "id", "role", true, true, true, 4, ScalingPolicy()};
  *bounds.policy = {"policy", "uuid", 62.5, 5, 6, true, 7};
  return {bounds, ScalingBounds{8, 9, "other", "", false, false, false, 10, std::nullopt}};
}

Index full_index(IndexKind kind) {
  Index index;
  index.space = 8;
  index.name = "by_\"owner\"";
  index.kind = kind;
  index.key.partition = {"owner", item::Type::binary};
  index.key.sort = KeyAttribute{"when", item::Type::number};
  index.projection = {ProjectionKind::include, {"a", "größe"}};
  index.throughput = {3, 4, 5, 6, 7};
  index.on_demand_limits = OnDemandLimits{10, -1};
  index.scaling.writes = full_scaling().reads;
  index.backfilling = true;
  return index;
}

// Every field differs from its default.
Table full_table() {
  Table table;
  table.space = 7;
  table.name = "jobs";
  table.uuid = "0f8fad5b-d9cb-469f-a165-70867728950e";
  table.created_at_ms = 1'700'000'000'123;
  table.key.partition = {"h", item::Type::string};
  table.key.sort = KeyAttribute{"r", item::Type::number};
  table.attribute_definitions = {
      {"h", item::Type::string}, {"r", item::Type::number}, {"owner", item::Type::binary}};
  table.indexes = {full_index(IndexKind::local), full_index(IndexKind::global)};
  table.billing = BillingMode::pay_per_request;
  table.on_demand_since_ms = 11;
  table.throughput = {12, 13, 14, 15, 16};
  table.on_demand_limits = OnDemandLimits{17, 18};
  table.scaling = full_scaling();
  table.ttl = {"expires", 19, true, 20};
  table.tags = {{"team", "x y"}, {"empty", ""}};
  table.deletion_protection = true;
  table.table_class = "STANDARD_INFREQUENT_ACCESS";
  table.encryption = {true, "alias/key"};
  table.stream = {true, StreamView::new_image, "2026-11-16T08:00:00.000"};
  table.log = 21;
  table.recovery = {true, 7, 22};
  table.origin = {OriginKind::backup, "source", 23, {24, 25}, "0123-ab", 26};
  table.state = TableState::being_made;
  return table;
}

TEST(Table, SurvivesTheDisk) {
  const auto text = serialize(full_table());
  const auto back = deserialize(text);
  ASSERT_TRUE(back);
  EXPECT_EQ(serialize(*back), text);
  EXPECT_EQ(back->scaling.reads, full_scaling().reads);
  EXPECT_EQ(back->scaling.writes, full_scaling().writes);
  EXPECT_EQ(back->indexes[0].scaling.writes, full_scaling().reads);
  EXPECT_FALSE(back->indexes[0].scaling.reads);
  EXPECT_EQ(back->indexes[1].kind, IndexKind::global);
  EXPECT_EQ(back->indexes[0].projection.attributes, (std::vector<std::string>{"a", "größe"}));
  EXPECT_EQ(back->indexes[0].key.sort->type, item::Type::number);
  EXPECT_EQ(back->ttl.space, 19U);
  EXPECT_EQ(back->tags, full_table().tags);
  EXPECT_EQ(back->throughput.decreases_today, 16);
  EXPECT_EQ(back->on_demand_limits->write_units_max, 18);
  EXPECT_EQ(back->stream.view, StreamView::new_image);
  EXPECT_EQ(back->stream.label, "2026-11-16T08:00:00.000");
  EXPECT_EQ(back->log, 21U);
  EXPECT_EQ(back->recovery.days, 7);
  EXPECT_EQ(back->origin.until, (ChangePlace{24, 25}));
  EXPECT_EQ(back->origin.backup_id, "0123-ab");
  EXPECT_EQ(back->state, TableState::being_made);
}

TEST(Backup, SurvivesTheDisk) {
  Backup backup;
  backup.id = "0123-ab";
  backup.name = "nightly";
  backup.by_service = true;
  backup.available = true;
  backup.created_ms = 1;
  backup.expires_ms = 2;
  backup.space = 3;
  backup.items = 4;
  backup.bytes = 5;
  backup.table = full_table();
  const auto text = serialize(backup);
  const auto back = deserialize_backup(text);
  ASSERT_TRUE(back);
  EXPECT_EQ(serialize(*back), text);
  EXPECT_EQ(back->name, "nightly");
  EXPECT_EQ(back->items, 4);
  EXPECT_EQ(serialize(back->table), serialize(full_table()));
}

TEST(Recovery, ReachesBackToItsBeginOrItsWindow) {
  constexpr int64_t day_ms = int64_t{24} * 60 * 60 * 1000;
  const Recovery recovery{true, 2, 10 * day_ms};
  EXPECT_EQ(recovery.earliest_ms(11 * day_ms), 10 * day_ms);
  EXPECT_EQ(recovery.earliest_ms(15 * day_ms), 13 * day_ms);
}

TEST(Table, DefaultsSurviveTheDisk) {
  Table table;
  table.name = "abc";
  table.key.partition.name = "h";
  const auto back = deserialize(serialize(table));
  ASSERT_TRUE(back);
  EXPECT_FALSE(back->key.sort);
  EXPECT_FALSE(back->on_demand_limits);
  EXPECT_FALSE(back->ttl.enabled());
  EXPECT_EQ(back->table_class, "STANDARD");
  EXPECT_EQ(serialize(*back), serialize(table));
}

// Bounds are told to another service, which knows nothing of the new table.
TEST(Table, BoundsAreNotRestored) {
  WantedRestore wanted;
  wanted.name = "copy";
  const auto restored = make_restored(full_table(), wanted, 1);
  ASSERT_TRUE(restored);
  EXPECT_TRUE(restored->scaling.empty());
  EXPECT_TRUE(restored->indexes[0].scaling.empty());
}

TEST(Table, DamageIsCorruption) {
  const auto text = serialize(full_table());
  for (const std::string& damaged : {std::string(), std::string("[]"), text.substr(0, text.size() / 2),
                                     std::string(R"({"format":3})"), std::string(R"({"format":2})")}) {
    const auto back = deserialize(damaged);
    ASSERT_FALSE(back) << damaged;
    EXPECT_EQ(back.error().kind, ErrorKind::corruption);
  }
}

TEST(Table, NoMemberIsOptionalByAccident) {
  auto text = serialize(full_table());
  const std::string member = R"("deletion_protection":true,)";
  text.erase(text.find(member), member.size());
  EXPECT_FALSE(deserialize(text));
}

TEST(Table, FindsIndexesAndTypes) {
  const auto table = full_table();
  EXPECT_EQ(table.find_index("by_\"owner\""), table.indexes.data());
  EXPECT_EQ(table.find_index("none"), nullptr);
  EXPECT_TRUE(table.has_local_indexes());
  EXPECT_EQ(table.defined_type("r"), item::Type::number);
  EXPECT_EQ(table.defined_type("owner"), item::Type::binary);
  EXPECT_EQ(table.defined_type("other"), std::nullopt);
}

}  // namespace
}  // namespace waybill::table
