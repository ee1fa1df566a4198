#include "table/validate.h"

#include <gtest/gtest.h>

#include "item/json.h"

namespace waybill::table {
namespace {

Table two_keys() {
  Table table;
  table.key = {{"pk", item::Type::string}, KeyAttribute{"sk", item::Type::binary}};
  Index index;
  index.name = "zz";
  index.kind = IndexKind::local;
  index.key = {{"pk", item::Type::string}, KeyAttribute{"a", item::Type::string}};
  table.indexes.push_back(index);
  index.name = "mm";
  index.kind = IndexKind::global;
  index.key = {{"a", item::Type::string}, KeyAttribute{"n", item::Type::number}};
  table.indexes.push_back(index);
  return table;
}

item::Item item_of(std::string_view text) {
  json::Parser parser;
  return *item::parse_item(*parser.parse_copy(text));
}

std::string text_of(const Status& status) {
  return status ? "" : status.error().message;
}

std::string key_error(std::string_view key) {
  return text_of(check_key(two_keys(), item_of(key).view()));
}

std::string put_error(std::string_view item) {
  const auto parsed = item_of(item);
  return text_of(check_item(two_keys(), parsed.view(), item::size_bytes(parsed.view()), Change::put));
}

constexpr std::string_view mismatch = "The provided key element does not match the schema";

TEST(CheckKeyTest, WantsExactlyTheKey) {
  EXPECT_EQ(key_error(R"({"pk":{"S":"a"},"sk":{"B":"AA=="}})"), "");
  EXPECT_EQ(key_error(R"({})"), mismatch);
  EXPECT_EQ(key_error(R"({"pk":{"S":"a"}})"), mismatch);
  EXPECT_EQ(key_error(R"({"pk":{"S":"a"},"x":{"B":"AA=="}})"), mismatch);
  EXPECT_EQ(key_error(R"({"pk":{"S":"a"},"sk":{"S":"b"}})"), mismatch);
  EXPECT_EQ(key_error(R"({"pk":{"S":""},"sk":{"B":"AA=="},"x":{"S":"y"}})"), mismatch);
}

TEST(CheckKeyTest, IsDoneWithOneAttributeBeforeTheNext) {
  EXPECT_EQ(
      key_error(R"({"pk":{"S":""},"sk":{"S":"b"}})"),
      "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an "
      "empty string value. Key: pk");
  EXPECT_EQ(
      key_error(R"({"pk":{"S":"a"},"sk":{"B":""}})"),
      "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an "
      "empty binary value. Key: sk");
}

TEST(CheckKeyTest, BoundsLengths) {
  const auto with_partition = [](std::size_t length) {
    return R"({"pk":{"S":")" + std::string(length, 'x') + R"("},"sk":{"B":"AA=="}})";
  };
  EXPECT_EQ(key_error(with_partition(2048)), "");
  EXPECT_EQ(
      key_error(with_partition(2049)),
      "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 "
      "bytes");
  const std::string long_base64(4 * 342, 'A');  // 1,026 bytes
  EXPECT_EQ(
      key_error(R"({"pk":{"S":"a"},"sk":{"B":")" + long_base64 + R"("}})"),
      "One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size "
      "limit of 1024 bytes");
}

TEST(CheckItemTest, TellsWhichKeyIsMissingOrOfAnotherType) {
  EXPECT_EQ(put_error(R"({"pk":{"S":"a"},"sk":{"B":"AA=="},"x":{"S":""}})"), "");
  EXPECT_EQ(put_error(R"({"pk":{"S":"a"}})"),
            "One or more parameter values were invalid: Missing the key sk in the item");
  EXPECT_EQ(put_error(R"({"pk":{"N":"1"},"sk":{"B":"AA=="}})"),
            "One or more parameter values were invalid: Type mismatch for key pk expected: S actual: N");
}

TEST(CheckItemTest, TellsTheIndexWhoseNameComesFirst) {
  EXPECT_EQ(put_error(R"({"pk":{"S":"a"},"sk":{"B":"AA=="},"a":{"N":"1"}})"),
            "One or more parameter values were invalid: Type mismatch for Index Key a Expected: S Actual: N "
            "IndexName: mm");
  EXPECT_EQ(put_error(R"({"pk":{"S":"a"},"sk":{"B":"AA=="},"a":{"S":""}})"),
            "One or more parameter values are not valid. A value specified for a secondary index key is not "
            "supported. The AttributeValue for a key attribute cannot contain an empty string value. "
            "IndexName: mm, "
            "IndexKey: a");
  // 1,500 bytes are not too many for the partition of mm, but for the sort key of zz.
  EXPECT_EQ(put_error(R"({"pk":{"S":"a"},"sk":{"B":"AA=="},"a":{"S":")" + std::string(1500, 'x') + R"("}})"),
            "One or more parameter values were invalid: Size limit exceeded for Index Key a Actual Size: "
            "1500 bytes "
            "Max Size: 1024 bytes IndexName: zz");
}

TEST(CheckItemTest, AnUpdateIsToldInOtherWords) {
  const auto item = item_of(R"({"pk":{"S":"a"},"sk":{"B":"AA=="},"a":{"S":""}})");
  EXPECT_EQ(
      text_of(check_item(two_keys(), item.view(), 10, Change::update)),
      "One or more parameter values are not valid. The update expression attempted to update a secondary "
      "index key to a value that is not supported. The AttributeValue for a key attribute cannot contain an "
      "empty string value.");
  EXPECT_EQ(text_of(check_item_size(item_bytes_max, Change::put)), "");
  EXPECT_EQ(text_of(check_item_size(item_bytes_max + 1, Change::put)),
            "Item size has exceeded the maximum allowed size");
  EXPECT_EQ(text_of(check_item_size(item_bytes_max + 1, Change::update)),
            "Item size to update has exceeded the maximum allowed size");
}

}  // namespace
}  // namespace waybill::table
