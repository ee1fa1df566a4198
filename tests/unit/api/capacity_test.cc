#include "api/dynamodb/capacity.h"

#include <gtest/gtest.h>

namespace waybill::api::dynamodb {
namespace {

std::string json_of(const ConsumedUnits& consumed, CapacityDetail detail,
                    ConsumedUnits::Purpose purpose = ConsumedUnits::Purpose::unsaid) {
  std::string out;
  json::Writer writer(out);
  consumed.append_json(writer, detail, purpose);
  return out;
}

TEST(CapacityTest, ReadsCountBlocksOfFourKilobytes) {
  const ReadUnits stale{false};
  const ReadUnits consistent{true};
  EXPECT_EQ(stale.of(0), 0.5);
  EXPECT_EQ(stale.of(4096), 0.5);
  EXPECT_EQ(stale.of(4097), 1.0);
  EXPECT_EQ(consistent.of(4097), 2.0);
}

TEST(CapacityTest, WritesCountKilobytes) {
  EXPECT_EQ(write_units(0), 1.0);
  EXPECT_EQ(write_units(1024), 1.0);
  EXPECT_EQ(write_units(1025), 2.0);
}

TEST(CapacityTest, AWriteCostsTheLargerOfBeforeAndAfterAndWhatItDoesToIndexes) {
  store::ActionResult result;
  result.before_bytes = 3000;
  result.after_bytes = 10;
  result.index_changes.push_back({"moved", table::IndexKind::global, 1500, 100});
  result.index_changes.push_back({"same", table::IndexKind::global, 0, 0});
  result.index_changes.push_back({"new", table::IndexKind::local, 0, 1});
  ConsumedUnits consumed("t");
  consumed.add_write(result);
  EXPECT_EQ(consumed.total(), 3 + 3 + 1);
  EXPECT_EQ(json_of(consumed, CapacityDetail::total), R"({"TableName":"t","CapacityUnits":7.0})");
  EXPECT_EQ(json_of(consumed, CapacityDetail::indexes),
            R"({"TableName":"t","CapacityUnits":7.0,"Table":{"CapacityUnits":3.0},)"
            R"("LocalSecondaryIndexes":{"new":{"CapacityUnits":1.0}},)"
            R"("GlobalSecondaryIndexes":{"moved":{"CapacityUnits":3.0}}})");
}

TEST(CapacityTest, TransactionsDoubleTheTableAndSayWhatTheUnitsWereFor) {
  store::ActionResult result;
  result.after_bytes = 1;
  result.index_changes.push_back({"i", table::IndexKind::global, 0, 1});
  ConsumedUnits consumed("t");
  consumed.add_write(result, transaction_factor);
  EXPECT_EQ(json_of(consumed, CapacityDetail::total, ConsumedUnits::Purpose::write),
            R"({"TableName":"t","CapacityUnits":3.0,"WriteCapacityUnits":3.0})");
}

TEST(CapacityTest, TablesAreListedOnceInTheOrderOfTheirFirstUse) {
  ConsumedByTable consumed;
  consumed.of("b").add_table(1);
  consumed.of("a").add_table(2);
  consumed.of("b").add_table(3);
  std::string out;
  json::Writer writer(out);
  writer.begin_object();
  consumed.append_json(writer, CapacityDetail::total);
  writer.end_object();
  EXPECT_EQ(
      out,
      R"({"ConsumedCapacity":[{"TableName":"b","CapacityUnits":4.0},{"TableName":"a","CapacityUnits":2.0}]})");
}

}  // namespace
}  // namespace waybill::api::dynamodb
