#include "api/dynamodb/collection_metrics.h"

#include <gtest/gtest.h>

#include "api/memory_store.h"

namespace waybill::api::dynamodb {
namespace {

constexpr uint64_t gigabyte = 1ULL << 30;

TEST(CollectionMetricsTest, TellsEachCollectionOnceBetweenWholeGigabytes) {
  MemoryStore store(songs());
  store.collection_bytes = gigabyte + gigabyte / 4;  // of the table, and as much of its local index
  const auto key = [&](std::string_view item) {
    return collection_key_of(*store.table(), item_of(item).view());
  };
  const std::string a = key(R"({"sk":{"N":"1"},"pk":{"S":"a"}})");
  const std::string b = key(R"({"pk":{"S":"b"}})");
  std::string out;
  json::Writer writer(out);
  writer.begin_object();
  append_collections(writer, store, {{store.table(), a}, {store.table(), b}, {store.table(), a}});
  writer.end_object();
  EXPECT_EQ(out, R"({"ItemCollectionMetrics":{"songs":[)"
                 R"({"ItemCollectionKey":{"pk":{"S":"a"}},"SizeEstimateRangeGB":[2.0,3.0]},)"
                 R"({"ItemCollectionKey":{"pk":{"S":"b"}},"SizeEstimateRangeGB":[2.0,3.0]}]}})");
}

TEST(CollectionMetricsTest, OnlyLocalIndexesMakeCollections) {
  auto table = songs();
  EXPECT_TRUE(wants_collection(table, "SIZE"));
  EXPECT_FALSE(wants_collection(table, "NONE"));
  EXPECT_FALSE(wants_collection(table, std::nullopt));
  table.indexes.erase(table.indexes.begin());
  EXPECT_FALSE(wants_collection(table, "SIZE"));
}

}  // namespace
}  // namespace waybill::api::dynamodb
