#include "table/key.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <random>

#include "item/json.h"
#include "item/number.h"

namespace waybill::table {
namespace {

item::Item item_of(std::string_view text) {
  json::Parser parser;
  return *item::parse_item(*parser.parse_copy(text));
}

std::string sort_of(const std::string& encoded) {
  std::string out;
  append_sort(out, item::ValueView(encoded.data()));
  return out;
}

std::string random_bytes(std::mt19937_64& random) {
  std::string bytes;
  for (std::size_t i = random() % 6; i > 0; --i) {
    // Few values, so that prefixes, zeros and 0xff meet.
    bytes.push_back("\x00\x01\x61\xfe\xff"[random() % 5]);
  }
  return bytes;
}

std::string random_value(std::mt19937_64& random, item::Type type) {
  std::string out;
  if (type == item::Type::number) {
    const auto text = std::to_string(static_cast<int64_t>(random() % 2001) - 1000) + "E" +
                      std::to_string(static_cast<int>(random() % 7) - 3);
    std::string normal;
    item::Decimal::parse(text)->append_text(normal);
    item::append_scalar(out, type, normal);
  } else {
    item::append_scalar(out, type, random_bytes(random));
  }
  return out;
}

TEST(KeyTest, SortKeysSortAsTheirValuesDo) {
  const uint64_t seed = std::random_device{}();
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  std::mt19937_64 random(seed);
  for (const auto type : {item::Type::string, item::Type::binary, item::Type::number}) {
    for (int i = 0; i < 20'000; ++i) {
      const std::string a = random_value(random, type);
      const std::string b = random_value(random, type);
      const int expected = *item::compare(item::ValueView(a.data()), item::ValueView(b.data()));
      // Whatever follows in an index entry must not change the order.
      const int by_bytes = (sort_of(a) + random_bytes(random)).compare(sort_of(b) + random_bytes(random));
      if (expected != 0) {
        ASSERT_EQ(by_bytes < 0 ? -1 : 1, expected);
      } else {
        ASSERT_EQ(sort_of(a), sort_of(b));
      }
    }
  }
}

TEST(KeyTest, APrefixFindsExactlyWhatBeginsWithIt) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 20'000; ++i) {
    const std::string prefix = random_bytes(random);
    const std::string value = random_bytes(random);
    std::string encoded;
    item::append_scalar(encoded, item::Type::binary, value);
    std::string from;
    append_sort_prefix(from, prefix);
    ASSERT_EQ(sort_of(encoded).starts_with(from), value.starts_with(prefix));
  }
}

Index by_owner() {
  Index index;
  index.key.partition = {"owner", item::Type::string};
  index.key.sort = KeyAttribute{"at", item::Type::number};
  return index;
}

TEST(KeyTest, AnEntryHoldsThePrimaryKey) {
  const KeySchema schema{{"id", item::Type::string}, KeyAttribute{"part", item::Type::binary}};
  const auto item = item_of(R"({"id":{"S":"a"},"part":{"B":"AAD/"},"owner":{"S":"o"},"at":{"N":"-12.5"}})");
  const std::string primary = primary_key(schema, item.view());
  const auto entry = entry_key(by_owner(), item.view(), primary);
  ASSERT_TRUE(entry);
  EXPECT_EQ(primary_of_entry(by_owner(), *entry), primary);
}

TEST(KeyTest, AnItemWithoutTheIndexKeyIsNotInTheIndex) {
  EXPECT_FALSE(entry_key(by_owner(), item_of(R"({"id":{"S":"a"},"owner":{"S":"o"}})").view(), "p"));
  EXPECT_FALSE(entry_key(by_owner(), item_of(R"({"owner":{"S":"o"},"at":{"S":"1"}})").view(), "p"));
  EXPECT_FALSE(entry_key(by_owner(), item_of(R"({"owner":{"S":""},"at":{"N":"1"}})").view(), "p"));
}

TEST(KeyTest, SegmentsMeetAndCoverAll) {
  for (const uint32_t total : {1U, 2U, 3U, 7U, 1000U, 1'000'000U}) {
    std::string last = segment_begin(0, total);
    EXPECT_EQ(last, "");
    for (uint32_t segment = 1; segment < total; ++segment) {
      const std::string begin = segment_begin(segment, total);
      ASSERT_LT(last, begin);
      last = begin;
    }
  }
}

TEST(KeyTest, AfterPrefixIsTheNextBytes) {
  EXPECT_EQ(after_prefix("ab"), "ac");
  EXPECT_EQ(after_prefix("a\xff"), "b");
  EXPECT_EQ(after_prefix("\xff\xff"), "");
}

// P7, I7: time to live by the service's rules.
TEST(KeyTest, ExpiryFollowsTheRules) {
  TimeToLive ttl;
  ttl.attribute = "ttl";
  constexpr int64_t now = 1'800'000'000;
  const auto expired = [&](std::string_view value) {
    return is_expired(ttl, item_of(R"({"ttl":)" + std::string(value) + "}").view(), now);
  };
  EXPECT_TRUE(expired(R"({"N":"1799999999"})"));
  EXPECT_TRUE(expired(R"({"N":"1799999999.5"})"));
  EXPECT_FALSE(expired(R"({"N":"1800000001"})"));
  EXPECT_FALSE(expired(R"({"S":"1799999999"})"));
  EXPECT_FALSE(expired(R"({"N":"1600000000"})")) << "older than five years";
  EXPECT_FALSE(expired(R"({"N":"0"})"));
  EXPECT_FALSE(expired(R"({"N":"-5"})"));
  EXPECT_FALSE(expired(R"({"N":"1800000000000"})")) << "milliseconds by mistake";
  EXPECT_FALSE(expired(R"({"N":"1E100"})"));
}

}  // namespace
}  // namespace waybill::table
