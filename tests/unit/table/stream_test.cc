#include "table/stream.h"

#include <gtest/gtest.h>

namespace waybill::table {
namespace {

constexpr int64_t start_ms = 1'800'000'000'123;

Stream stream_since(int64_t ms) {
  Stream stream;
  stream.table_name = "things";
  stream.label = stream_label(ms);
  stream.view = StreamView::new_and_old_images;
  stream.key.partition = {"id", item::Type::string};
  stream.log = 7;
  stream.begin = {ms, 42};
  return stream;
}

TEST(StreamTest, LabelsAreTimes) {
  EXPECT_EQ(stream_label(0), "1970-01-01T00:00:00.000");
  EXPECT_EQ(stream_label(951'782'400'000), "2000-02-29T00:00:00.000");
  EXPECT_EQ(stream_label(start_ms), "2027-01-15T08:00:00.123");
}

TEST(StreamTest, SequenceNumbersOrderAsPlacesDo) {
  const ChangePlace a{start_ms, 9};
  const ChangePlace b{start_ms, 10};
  const ChangePlace c{start_ms + 1, 0};
  EXPECT_LT(sequence_number(a), sequence_number(b));
  EXPECT_LT(sequence_number(b), sequence_number(c));
  EXPECT_EQ(sequence_number(a).size(), 28U);
  EXPECT_EQ(parse_sequence_number(sequence_number(b)), b);
  EXPECT_EQ(parse_sequence_number("12"), std::nullopt);
  EXPECT_EQ(parse_sequence_number("000000000000000000000000000x"), std::nullopt);
  EXPECT_EQ(parse_sequence_number("+000000000000000000000000000"), std::nullopt);
}

TEST(StreamTest, ShardsFollowEachOtherWithoutAGap) {
  const Stream stream = stream_since(start_ms);
  EXPECT_EQ(shard_of(stream, 0).begin, stream.begin);
  for (int64_t number = 0; number < 10; ++number) {
    EXPECT_EQ(shard_of(stream, number).end, shard_of(stream, number + 1).begin);
    EXPECT_EQ(shard_number(stream, shard_id(stream, number)), number);
  }
  EXPECT_EQ(shard_number(stream, "shardId-00000000000000000000-00000000"), std::nullopt);
  EXPECT_EQ(shard_number(stream, "nonsense"), std::nullopt);
}

TEST(StreamTest, ShardsOfTheLastDayCanBeRead) {
  Stream stream = stream_since(start_ms);
  EXPECT_EQ(readable_shards(stream, start_ms).first, 0);
  EXPECT_EQ(readable_shards(stream, start_ms).last, 0);
  EXPECT_EQ(readable_shards(stream, start_ms + shard_life_ms).last, 1);
  const int64_t later = start_ms + stream_retention_ms + shard_life_ms;
  EXPECT_EQ(readable_shards(stream, later).first, 1);
  EXPECT_EQ(readable_shards(stream, later).last, 7);
  stream.end = ChangePlace{start_ms + shard_life_ms / 2, 100};
  EXPECT_EQ(readable_shards(stream, later).last, 0);
  EXPECT_EQ(shard_of(stream, 0).end, *stream.end);
}

TEST(StreamTest, ComesBackFromItsStoredForm) {
  Stream stream = stream_since(start_ms);
  stream.key.sort = KeyAttribute{"at", item::Type::number};
  for (const bool ended : {false, true}) {
    if (ended) {
      stream.end = ChangePlace{start_ms + 5, 77};
    }
    const auto read = deserialize_stream(serialize(stream));
    ASSERT_TRUE(read);
    EXPECT_EQ(serialize(*read), serialize(stream));
    EXPECT_EQ(read->end, stream.end);
    EXPECT_EQ(read->begin, stream.begin);
    EXPECT_EQ(read->key.sort->name, "at");
  }
  EXPECT_FALSE(deserialize_stream("{}"));
  EXPECT_FALSE(deserialize_stream(R"({"format":2,"table_name":"t"})"));
}

}  // namespace
}  // namespace waybill::table
