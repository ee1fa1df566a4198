#include "table/create_rules.h"

#include <gtest/gtest.h>

namespace waybill::table {
namespace {

WantedIndex wanted_index(std::string name, std::vector<KeyElement> key) {
  WantedIndex index;
  index.name = std::move(name);
  index.key = std::move(key);
  index.projection.kind = ProjectionKind::all;
  return index;
}

WantedTable wanted_table() {
  WantedTable wanted;
  wanted.name = "jobs";
  wanted.key = {{"h", false}, {"r", true}};
  wanted.definitions = {{"h", item::Type::string}, {"r", item::Type::number}, {"g", item::Type::binary}};
  wanted.local_indexes = {wanted_index("lsi", {{"h", false}, {"g", true}})};
  wanted.global_indexes = {wanted_index("gsi", {{"g", false}})};
  wanted.billing = BillingMode::pay_per_request;
  return wanted;
}

std::string refusal(const WantedTable& wanted) {
  const auto table = make_table(wanted);
  return table ? "made" : table.error().message;
}

TEST(CreateRules, MakesATable) {
  const auto table = make_table(wanted_table());
  ASSERT_TRUE(table);
  EXPECT_EQ(table->key.sort->type, item::Type::number);
  ASSERT_EQ(table->indexes.size(), 2U);
  EXPECT_EQ(table->indexes[0].kind, IndexKind::local);
  EXPECT_EQ(table->indexes[1].key.partition.type, item::Type::binary);
  EXPECT_EQ(table->space, 0U);
}

TEST(CreateRules, BillingComesBeforeKeys) {
  auto wanted = wanted_table();
  wanted.key = {{"r", true}, {"h", false}};
  EXPECT_EQ(refusal(wanted), "Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
  wanted.throughput = CapacityUnits{1, 1};
  EXPECT_EQ(refusal(wanted),
            "One or more parameter values were invalid: Neither ReadCapacityUnits nor WriteCapacityUnits can "
            "be specified when BillingMode is PAY_PER_REQUEST");
}

TEST(CreateRules, ProvisionedIsTheDefaultAndNeedsUnits) {
  auto wanted = wanted_table();
  wanted.billing.reset();
  EXPECT_EQ(
      refusal(wanted),
      "One or more parameter values were invalid: ReadCapacityUnits and WriteCapacityUnits must both be "
      "specified when BillingMode is PROVISIONED");
}

TEST(CreateRules, EveryKeyIsDefinedAndEveryDefinitionUsed) {
  auto wanted = wanted_table();
  wanted.global_indexes->push_back(wanted_index("other", {{"q", false}, {"h", true}}));
  EXPECT_EQ(refusal(wanted),
            "One or more parameter values were invalid: Some index key attributes are not defined in "
            "AttributeDefinitions. Keys: [g, q, h], AttributeDefinitions: [h, r, g]");
  wanted = wanted_table();
  wanted.definitions.push_back({"surplus", item::Type::string});
  EXPECT_EQ(refusal(wanted),
            "One or more parameter values were invalid: Some AttributeDefinitions are not used. "
            "AttributeDefinitions: [h, r, g, surplus], keys used: [h, r, g]");
  wanted.local_indexes.reset();
  wanted.global_indexes.reset();
  EXPECT_EQ(refusal(wanted),
            "One or more parameter values were invalid: Number of attributes in KeySchema does not exactly "
            "match number of attributes defined in AttributeDefinitions");
}

TEST(CreateRules, LocalIndexesShareThePartitionKey) {
  auto wanted = wanted_table();
  wanted.local_indexes = {wanted_index("lsi", {{"g", false}, {"r", true}})};
  EXPECT_EQ(refusal(wanted),
            "One or more parameter values were invalid: Index KeySchema does not have the same leading hash "
            "key as table KeySchema for index: lsi. index hash key: g, table hash key: h");
}

TEST(CreateRules, NamesAreUniqueOverBothKinds) {
  auto wanted = wanted_table();
  (*wanted.global_indexes)[0].name = "lsi";
  EXPECT_EQ(refusal(wanted), "One or more parameter values were invalid: Duplicate index name: lsi");
}

TEST(CreateRules, CountsProjectedAttributesOverAllIndexes) {
  auto wanted = wanted_table();
  wanted.local_indexes.reset();
  wanted.global_indexes->clear();
  for (int i = 0; i < 6; ++i) {
    auto index = wanted_index("gsi-" + std::to_string(i), {{"g", false}});
    index.projection.kind = ProjectionKind::include;
    index.projection.attributes.emplace();
    for (int j = 0; j < 17; ++j) {
      index.projection.attributes->push_back("a" + std::to_string(j));
    }
    wanted.global_indexes->push_back(index);
  }
  EXPECT_NE(refusal(wanted).find("per-table limit of 100"), std::string::npos);
}

}  // namespace
}  // namespace waybill::table
