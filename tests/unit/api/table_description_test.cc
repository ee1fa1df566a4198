#include "api/dynamodb/table_description.h"

#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/entropy.h"

namespace waybill::api::dynamodb {
namespace {

// Descriptions are put into words without asking the store anything.
class NoStore final : public store::Store {
 public:
  void commit(store::Transaction, store::Done) override {}
  void commit_each(std::vector<store::Transaction>, store::EachDone) override {}
  Result<std::optional<store::Found>> get(const table::Table&, std::string_view) const override {
    return std::optional<store::Found>();
  }
  Result<std::vector<std::optional<store::Found>>> get_together(
      const std::vector<store::GetRequest>&) const override {
    return std::vector<std::optional<store::Found>>();
  }
  Status read(const store::Range&, store::Visitor&) const override { return {}; }
  table::TablePtr find_table(std::string_view) const override { return nullptr; }
  std::vector<std::string> list_tables(std::string_view, std::size_t) const override { return {}; }
  void create_table(table::Table, store::TableDone) override {}
  void change_table(std::string, store::TableChange, store::TableDone) override {}
  void delete_table(std::string, UniqueFunction<Status(const table::Table&)>, store::TableDone) override {}
  void restore_table(store::RestoreSource /*source*/, store::TableChange /*make*/,
                     store::TableDone /*done*/) override {}
  void create_backup(std::string /*table*/, std::string /*name*/, store::BackupDone /*done*/) override {}
  void delete_backup(std::string /*id*/, store::BackupDone /*done*/) override {}
  table::BackupPtr find_backup(std::string_view /*id*/) const override { return nullptr; }
  std::vector<table::BackupPtr> backups() const override { return {}; }
  void put_note(table::Note /*note*/, store::NoteDone /*done*/) override {}
  void forget_note(std::string /*name*/, store::NoteDone /*done*/) override {}
  Result<std::vector<table::Note>> notes(std::string_view /*prefix*/) const override {
    return std::vector<table::Note>();
  }
  void hold_table(store::WantedPast /*wanted*/, store::MakeNote /*make*/, store::NoteDone /*done*/) override {
  }
  Status read_held(const table::HeldTable& /*held*/, std::string_view /*after*/,
                   store::Visitor& /*visitor*/) override {
    return {};
  }
  void begin_import(table::Table /*table*/, table::Note /*note*/, store::TableDone /*done*/) override {}
  void end_import(std::string /*table*/, store::ImportEnd /*end*/, table::Note /*note*/,
                  store::NoteDone /*done*/) override {}
  Result<store::StoreBackup> back_up(const std::string& /*folder*/, uint32_t /*keep*/,
                                     const store::Progress& /*progress*/) override {
    return store::StoreBackup();
  }
  store::Stats stats(table::SpaceId) const override { return {}; }
  Status read_changes(const store::ChangeRange&, store::ChangeVisitor&) const override { return {}; }
  Result<table::ChangePlace> end_of_log(table::SpaceId) const override { return table::ChangePlace(); }
  std::vector<table::StreamPtr> streams() const override { return {}; }
  table::StreamPtr find_stream(std::string_view, std::string_view) const override { return nullptr; }
  bool is_past(int64_t) const override { return true; }
  usage::Meter& meter() const override { return meter_; }
  Status read_usage(table::SpaceId, store::MinuteRange, store::UsageVisitor&) override { return {}; }
  uint64_t approximate_bytes(table::SpaceId, std::string_view, std::string_view) const override { return 0; }

 private:
  static inline const SystemClock clock_;
  mutable usage::Meter meter_{clock_};
};

class TableDescription : public testing::Test {
 protected:
  TableDescription() {
    table_.name = "jobs";
    table_.uuid = "0f8fad5b-d9cb-469f-a165-70867728950e";
    table_.created_at_ms = 1'700'000'000'123;
    table_.key.partition = {"h", item::Type::string};
    table_.attribute_definitions = {{"h", item::Type::string}};
    table_.billing = table::BillingMode::pay_per_request;
    table_.table_class = "";
  }

  json::Value described(const DescriptionOptions& options = {}, const TableStats& stats = {}) {
    const auto text = table_description("Table", services_, table_, stats, options);
    return *parser_.parse_copy(text)->find("Table");
  }

  NoStore store_;
  ManualClock clock_{0};
  SystemEntropy entropy_;
  Services services_{store_, clock_, entropy_};
  table::Table table_;
  json::Parser parser_;
};

TEST_F(TableDescription, OfAnOnDemandTable) {
  const auto table = described({}, {{12, 345}, {}});
  EXPECT_EQ(table.find("TableStatus")->string(), "ACTIVE");
  EXPECT_EQ(table.find("TableArn")->string(), "arn:aws:dynamodb:us-east-1:000000000000:table/jobs");
  EXPECT_EQ(table.find("TableId")->string(), table_.uuid);
  EXPECT_DOUBLE_EQ(table.find("CreationDateTime")->number(), 1'700'000'000.123);
  EXPECT_EQ(table.find("ItemCount")->integer(), 12);
  EXPECT_EQ(table.find("TableSizeBytes")->integer(), 345);
  EXPECT_EQ(table.find("BillingModeSummary")->find("BillingMode")->string(), "PAY_PER_REQUEST");
  EXPECT_EQ(table.find("WarmThroughput")->find("Status")->string(), "ACTIVE");
  EXPECT_EQ(table.find("WarmThroughput")->find("ReadUnitsPerSecond")->integer(), 12'000);
  EXPECT_FALSE(table.find("SSEDescription"));
  EXPECT_FALSE(table.find("TableClassSummary"));
  EXPECT_FALSE(table.find("GlobalSecondaryIndexes"));
}

TEST_F(TableDescription, WhileAnIndexIsFilled) {
  table::Index index;
  index.name = "by-owner";
  index.key.partition = {"owner", item::Type::string};
  index.backfilling = true;
  table_.indexes = {index};
  EXPECT_EQ(current_status(table_), "UPDATING");
  const auto table = described({}, {{}, {{3, 30}}});
  json::Elements indexes(*table.find("GlobalSecondaryIndexes"));
  ASSERT_TRUE(indexes.next());
  EXPECT_EQ(indexes.value().find("IndexStatus")->string(), "CREATING");
  EXPECT_TRUE(indexes.value().find("Backfilling")->boolean());
  EXPECT_EQ(indexes.value().find("ItemCount")->integer(), 3);
  EXPECT_EQ(indexes.value().find("IndexArn")->string(),
            "arn:aws:dynamodb:us-east-1:000000000000:table/jobs/index/by-owner");
}

TEST_F(TableDescription, ShowsTheUnitsOfBefore) {
  table_.billing = table::BillingMode::provisioned;
  table_.throughput.read_units = 9;
  DescriptionOptions options;
  options.units_were = table::CapacityUnits{4, 5};
  const auto throughput = *described(options).find("ProvisionedThroughput");
  EXPECT_EQ(throughput.find("ReadCapacityUnits")->integer(), 4);
  EXPECT_EQ(throughput.find("WriteCapacityUnits")->integer(), 5);
}

TEST_F(TableDescription, NamesTheKeyOfEncryption) {
  table_.encryption = {true, "alias/mine"};
  EXPECT_EQ(described().find("SSEDescription")->find("KMSMasterKeyArn")->string(),
            "arn:aws:kms:us-east-1:000000000000:alias/mine");
  table_.encryption.key_id = "arn:aws:kms:eu-west-1:1:key/x";
  EXPECT_EQ(described().find("SSEDescription")->find("KMSMasterKeyArn")->string(),
            "arn:aws:kms:eu-west-1:1:key/x");
}

}  // namespace
}  // namespace waybill::api::dynamodb
