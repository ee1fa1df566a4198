#include "transfer/job.h"

#include <gtest/gtest.h>

#include "base/json.h"
#include "transfer/table_parameters.h"

namespace waybill::transfer {
namespace {

TEST(Job, ExportsComeBackFromTheirNotes) {
  Export job;
  job.id = "01731742800123-1a2b3c4d";
  job.client_token = "token";
  job.table_arn = "arn:table";
  job.prefix = "daily";
  job.held = {"things", 7, {5, 0}, 4};
  job.files = 3;
  job.last_key = "AAE=";
  job.parameters = R"({"TableName":"things"})";
  const auto note = note_of(job);
  EXPECT_EQ(note.name, "export/01731742800123-1a2b3c4d");
  const auto stored = table::deserialize_note(note.name, table::serialize(note));
  ASSERT_TRUE(stored);
  const auto read = read_export(*stored);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->held, job.held);
  EXPECT_EQ(read->files, 3);
  EXPECT_EQ(read->last_key, "AAE=");
  EXPECT_EQ(read->parameters, job.parameters);
  EXPECT_EQ(read->state, JobState::in_progress);
  EXPECT_EQ(read->arn(), "arn:table/export/01731742800123-1a2b3c4d");
  EXPECT_EQ(read->key(), "daily/AWSDynamoDB/01731742800123-1a2b3c4d");
}

TEST(Job, WhatIsOverHoldsNothing) {
  Export job;
  job.id = "1";
  job.held = {"things", 7, {5, 0}, 4};
  job.state = JobState::failed;
  const auto note = note_of(job);
  EXPECT_FALSE(note.held);
  EXPECT_EQ(read_export(note)->state, JobState::failed);
  EXPECT_EQ(read_export(note)->held.moment_ms, 4);
}

TEST(Job, ImportsComeBackFromTheirNotes) {
  Import job;
  job.id = "2";
  job.format = "CSV";
  job.csv_delimiter = "\t";
  job.csv_header = {"a", "b\"c"};
  job.file = "a/ä.csv";
  job.file_records = 12;
  job.errors = {R"({"record":1})"};
  job.error_count = 1;
  const auto read = read_import(note_of(job));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->csv_header, job.csv_header);
  EXPECT_EQ(read->csv_delimiter, "\t");
  EXPECT_EQ(read->file, job.file);
  EXPECT_EQ(read->file_records, 12);
  EXPECT_EQ(read->errors, job.errors);
  EXPECT_FALSE(read_import({"import/3", "nonsense", {}}));
}

TEST(Job, TablesInTheWordsOfAnImport) {
  table::Table table;
  table.name = "things";
  table.key.partition = {"id", item::Type::string};
  table.attribute_definitions = {{"id", item::Type::string}, {"at", item::Type::number}};
  table.throughput.read_units = 3;
  table.throughput.write_units = 4;
  auto& index = table.indexes.emplace_back();
  index.name = "by_at";
  index.key.partition = {"at", item::Type::number};
  index.projection = {table::ProjectionKind::include, {"x"}};
  index.throughput.read_units = index.throughput.write_units = 1;
  EXPECT_EQ(
      table_parameters(table),
      R"({"TableName":"things","AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"},)"
      R"({"AttributeName":"at","AttributeType":"N"}],)"
      R"("KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],)"
      R"("GlobalSecondaryIndexes":[{"IndexName":"by_at",)"
      R"("KeySchema":[{"AttributeName":"at","KeyType":"HASH"}],)"
      R"("Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["x"]},)"
      R"("ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}}],)"
      R"("BillingMode":"PROVISIONED","ProvisionedThroughput":{"ReadCapacityUnits":3,"WriteCapacityUnits":4}})");
}

}  // namespace
}  // namespace waybill::transfer
