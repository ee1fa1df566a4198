#include "api/dynamodb/read_request.h"

#include <gtest/gtest.h>

#include "api/memory_store.h"

namespace waybill::api::dynamodb {
namespace {

constexpr std::string_view misfit = "The provided starting key is invalid";
constexpr std::string_view mismatch = "The provided key element does not match the schema";
constexpr std::string_view told_mismatch =
    "The provided starting key is invalid: The provided key element does not match the schema";

std::string start_key_error(StartKeyOf operation, const table::Index* index, std::string_view key) {
  const auto table = songs();
  const auto parsed = parse_start_key(table, index, item_of(key).view(), operation);
  return parsed ? "" : parsed.error().message;
}

TEST(StartKeyTest, OfATableIsItsKey) {
  for (const auto operation : {StartKeyOf::query, StartKeyOf::scan}) {
    const bool query = operation == StartKeyOf::query;
    EXPECT_EQ(start_key_error(operation, nullptr, R"({"pk":{"S":"a"},"sk":{"N":"1"}})"), "");
    EXPECT_EQ(start_key_error(operation, nullptr, R"({"pk":{"S":"a"}})"), query ? misfit : told_mismatch);
    EXPECT_EQ(start_key_error(operation, nullptr, R"({"pk":{"S":"a"},"x":{"N":"1"}})"),
              query ? misfit : told_mismatch);
    EXPECT_EQ(start_key_error(operation, nullptr, R"({"pk":{"S":"a"},"sk":{"S":"1"}})"), told_mismatch);
    EXPECT_NE(start_key_error(operation, nullptr, R"({"pk":{"S":""},"sk":{"N":"1"}})"), "");
  }
}

TEST(StartKeyTest, OfAnIndexIsItsKeyAndTheTables) {
  const auto table = songs();
  const auto* index = table.find_index("by_title");
  for (const auto operation : {StartKeyOf::query, StartKeyOf::scan}) {
    EXPECT_EQ(start_key_error(operation, index, R"({"pk":{"S":"a"},"sk":{"N":"1"},"title":{"S":"t"}})"), "");
    EXPECT_EQ(start_key_error(operation, index, R"({"pk":{"S":"a"},"sk":{"N":"1"}})"), misfit);
    EXPECT_EQ(start_key_error(operation, index, R"({"pk":{"S":"a"},"sk":{"N":"1"},"title":{"N":"1"}})"),
              mismatch);
  }
}

TEST(StartKeyTest, ErrorsOfValuesGetItsWordsOnce) {
  EXPECT_EQ(in_start_key(invalid("1 validation error detected: bad")).message,
            "The provided starting key is invalid: bad");
}

ReadFields fields_with_select(std::string_view select) {
  ReadFields fields;
  fields.select = select;
  return fields;
}

TEST(SelectTest, KnowsWhatGoesWithIt) {
  auto fields = fields_with_select("SPECIFIC_ATTRIBUTES");
  EXPECT_FALSE(check_select(fields));
  fields.projection.expression = "a";
  EXPECT_TRUE(check_select(fields));
  fields.select = "COUNT";
  EXPECT_EQ(check_select(fields).error().message,
            "Cannot specify the ProjectionExpression when choosing to get only the Count");
  fields.select = "ALL_PROJECTED_ATTRIBUTES";
  EXPECT_EQ(check_select(fields).error().message,
            "Cannot specify the ProjectionExpression when choosing to get ALL_PROJECTED_ATTRIBUTES");
  fields.projection.expression.reset();
  EXPECT_EQ(check_select(fields).error().message,
            "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName");
}

TEST(FindIndexTest, RefusesWhatCannotBeRead) {
  auto table = songs();
  ReadFields fields;
  EXPECT_EQ(*find_index(table, fields), nullptr);
  fields.index_name = "none";
  EXPECT_EQ(find_index(table, fields).error().message, "The table does not have the specified index: none");
  fields.index_name = "by_year";
  EXPECT_TRUE(find_index(table, fields));
  table.indexes[1].backfilling = true;
  EXPECT_EQ(find_index(table, fields).error().message,
            "Cannot read from backfilling global secondary index: by_year");
  fields.consistent = true;
  EXPECT_EQ(find_index(table, fields).error().message,
            "Consistent reads are not supported on global secondary indexes");
}

}  // namespace
}  // namespace waybill::api::dynamodb
