#include "api/dynamodb/page.h"

#include <gtest/gtest.h>

#include "api/dynamodb/read_request.h"
#include "api/memory_store.h"

namespace waybill::api::dynamodb {
namespace {

constexpr std::size_t third_of_page = 350 * 1024;

class PageTest : public testing::Test {
 protected:
  PageTest() : store_(songs()) { request_.range.table = store_.table(); }

  void put(int sk, const std::string& rest = "") {
    store_.put(R"({"pk":{"S":"a"},"sk":{"N":")" + std::to_string(sk) + R"("})" + rest + "}");
  }

  std::string read() { return *read_page(store_, request_); }

  const table::Index* index(std::string_view name) { return store_.table()->find_index(name); }

  MemoryStore store_;
  PageRequest request_;
};

TEST_F(PageTest, GivesAllItemsInOrder) {
  put(10);
  put(9);
  EXPECT_EQ(read(), R"({"Items":[{"pk":{"S":"a"},"sk":{"N":"9"}},{"pk":{"S":"a"},"sk":{"N":"10"}}],)"
                    R"("Count":2,"ScannedCount":2})");
}

TEST_F(PageTest, ALimitThatIsReachedGivesAKeyEvenWhereNothingFollows) {
  put(1);
  put(2);
  request_.limit = 2;
  request_.count_only = true;
  EXPECT_EQ(read(), R"({"Count":2,"ScannedCount":2,"LastEvaluatedKey":{"pk":{"S":"a"},"sk":{"N":"2"}}})");
  request_.limit = 3;
  EXPECT_EQ(read(), R"({"Count":2,"ScannedCount":2})");
}

TEST_F(PageTest, TheLimitCountsWhatTheFilterDrops) {
  put(1);
  put(2, R"(,"x":{"S":"y"})");
  expression::Placeholders none;
  request_.filter =
      *expression::Condition::parse("attribute_exists(x)", expression::ExpressionKind::filter, none);
  request_.limit = 1;
  EXPECT_EQ(read(),
            R"({"Items":[],"Count":0,"ScannedCount":1,"LastEvaluatedKey":{"pk":{"S":"a"},"sk":{"N":"1"}}})");
}

TEST_F(PageTest, APageHoldsAMegabyte) {
  const std::string large = R"(,"x":{"S":")" + std::string(third_of_page, 'x') + R"("})";
  put(1, large);
  put(2, large);
  put(3, large);
  request_.count_only = true;
  EXPECT_EQ(read(), R"({"Count":2,"ScannedCount":2,"LastEvaluatedKey":{"pk":{"S":"a"},"sk":{"N":"2"}}})");
}

TEST_F(PageTest, AnIndexGivesItsProjectionAndAllKeys) {
  put(1, R"(,"title":{"S":"t"},"year":{"N":"1999"},"x":{"S":"y"})");
  request_.range.index = index("by_year");
  request_.limit = 1;
  request_.capacity = CapacityDetail::indexes;
  EXPECT_EQ(read(),
            R"({"Items":[{"pk":{"S":"a"},"sk":{"N":"1"},"title":{"S":"t"},"year":{"N":"1999"}}],"Count":1,)"
            R"("ScannedCount":1,"LastEvaluatedKey":{"pk":{"S":"a"},"sk":{"N":"1"},"year":{"N":"1999"}},)"
            R"("ConsumedCapacity":{"TableName":"songs","CapacityUnits":0.5,"Table":{"CapacityUnits":0.0},)"
            R"("GlobalSecondaryIndexes":{"by_year":{"CapacityUnits":0.5}}}})");
}

TEST_F(PageTest, ALocalIndexFetchesWhatItLacksAndTheTablePaysForIt) {
  put(1, R"(,"title":{"S":"t"},"x":{"S":"y"})");
  request_.range.index = index("by_title");
  request_.projection = expression::Projection::from_names({"x"});
  request_.capacity = CapacityDetail::indexes;
  ASSERT_TRUE(settle_projection(request_, Select::unsaid));
  EXPECT_EQ(read(), R"({"Items":[{"x":{"S":"y"}}],"Count":1,"ScannedCount":1,"ConsumedCapacity":)"
                    R"({"TableName":"songs","CapacityUnits":1.0,"Table":{"CapacityUnits":0.5},)"
                    R"("LocalSecondaryIndexes":{"by_title":{"CapacityUnits":0.5}}}})");
}

TEST_F(PageTest, AGlobalIndexRefusesWhatItLacks) {
  request_.range.index = index("by_year");
  request_.projection = expression::Projection::from_names({"x", "title", "sk"});
  EXPECT_EQ(settle_projection(request_, Select::unsaid).error().message,
            "One or more parameter values were invalid: Global secondary index by_year does not project [x]");
  request_.projection.reset();
  EXPECT_EQ(
      settle_projection(request_, Select::all_attributes).error().message,
      "One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global "
      "secondary index by_year because its projection type is not ALL");
  EXPECT_TRUE(settle_projection(request_, Select::all_projected));
}

TEST_F(PageTest, AnEmptyRangeReadsNothing) {
  put(1);
  request_.range.begin = "b";
  request_.range.end = "a";
  EXPECT_EQ(read(), R"({"Items":[],"Count":0,"ScannedCount":0})");
}

}  // namespace
}  // namespace waybill::api::dynamodb
