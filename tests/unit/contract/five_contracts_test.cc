// The five contracts of contracts/, and what the check says of them.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "contract/check.h"
#include "contract/reader.h"

namespace waybill::contract {
namespace {

struct Checked {
  Contract contract;
  std::string errors;
  std::string warnings;
};

Checked checked(const std::string& name) {
  std::ifstream file(std::string(WAYBILL_CONTRACTS) + "/" + name + ".yaml");
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  EXPECT_FALSE(text.empty()) << name;
  Checked made;
  Problems problems;
  made.contract = read_contract(text, problems).value_or(Contract());
  if (problems.empty()) {
    problems = check(made.contract);
  }
  for (const auto& problem : problems) {
    auto& told = problem.weight == Problem::Weight::error ? made.errors : made.warnings;
    told += problem.what + "\n";
  }
  return made;
}

TEST(FiveContracts, P5_PhotoEditorSaysThatProcessingCannotFail) {
  const auto made = checked("photo-editor");
  EXPECT_EQ(made.errors, "");
  EXPECT_EQ(
      made.warnings,
      "all of \"job\" with one value of \"status\" are one key of the index \"status-createdAt-index\"\n"
      "the record \"job\" is worked on in \"PROCESSING\" and cannot fail there: a worker that breaks leaves "
      "it for ever\n");
  ASSERT_EQ(made.contract.records.size(), 1U);
  EXPECT_EQ(made.contract.records[0].fields.size(), 17U);
}

TEST(FiveContracts, I2_ImageService) {
  const auto made = checked("image-service");
  EXPECT_EQ(made.errors, "");
  EXPECT_EQ(made.warnings, "");
  EXPECT_EQ(made.contract.records.size(), 3U);
}

TEST(FiveContracts, O2_Orchestrator) {
  const auto made = checked("orchestrator");
  EXPECT_EQ(made.errors, "");
  EXPECT_EQ(made.warnings, "");
  ASSERT_EQ(made.contract.records.size(), 1U);
  const Record& job = made.contract.records[0];
  EXPECT_EQ(job.work->backoff_s, (std::vector<int64_t>{30, 120, 600, 1800}));
  EXPECT_TRUE(job.status->may_move("running", "dead"));
  EXPECT_FALSE(job.status->may_move("completed", "running"));
}

TEST(FiveContracts, A1_AssetCreatorSaysThatStatusesAreHotKeys) {
  const auto made = checked("asset-creator");
  EXPECT_EQ(made.errors, "");
  EXPECT_EQ(made.warnings,
            "all of \"job\" with one value of \"GSI1PK\" are one key of the index \"GSI1\"\n"
            "all of \"step\" with one value of \"GSI2PK\" are one key of the index \"GSI2\"\n"
            "all of \"asset\" with one value of \"GSI3PK\" are one key of the index \"GSI3\"\n");
  EXPECT_EQ(made.contract.records.size(), 7U);
}

TEST(FiveContracts, T7_TextAnalyzerHasNoIndexAndNoExpiry) {
  const auto made = checked("text-analyzer");
  EXPECT_EQ(made.errors, "");
  EXPECT_EQ(made.warnings, "");
  EXPECT_TRUE(made.contract.table.indexes.empty());
  EXPECT_FALSE(made.contract.table.ttl);
  ASSERT_EQ(made.contract.records[0].mirrors.size(), 1U);
}

}  // namespace
}  // namespace waybill::contract
