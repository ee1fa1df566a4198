// Records that are brought along from elsewhere (I9): their states, times and versions are those of there,
// and all that the contract makes of a record is made.
#include "rules/draft.h"
#include "rules/fixture.h"

namespace waybill::rules {
namespace {

constexpr std::string_view image = R"({"PK":{"S":"IMAGE#i1"},"SK":{"S":"METADATA"}})";
constexpr std::string_view job_key = R"({"job_id":{"S":"j1"}})";

store::Author importer() {
  return {"operator", std::string(import_operation), {}};
}

std::string old_image(std::string_view more) {
  return R"({"PK":{"S":"IMAGE#i1"},"SK":{"S":"METADATA"},"id":{"S":"i1"},"userId":{"S":"u1"},)"
         R"("originalFilename":{"S":"a.jpg"},"mimeType":{"S":"image/jpeg"},"fileSize":{"N":"10"},)"
         R"("processingStatus":{"S":"completed"},"createdAt":{"S":"2019-05-01T00:00:00.000Z"},)"
         R"("updatedAt":{"S":"2020-06-02T00:00:00.000Z"},"uploadedAt":{"S":"2019-05-01T00:00:00.000Z"},)"
         R"("tags":{"L":[{"S":"cat"}]})" +
         std::string(more) + "}";
}

std::string job(std::string_view state) {
  return R"({"job_id":{"S":"j1"},"workspace_id":{"S":"w"},"user_id":{"S":"u"},"workflow_id":{"S":"f"},)"
         R"("trigger_type":{"S":"manual"},"idempotency_key":{"S":"k1"},"status":{"S":")" +
         std::string(state) + R"("}})";
}

TEST_F(RulesTest, I9_an_old_record_comes_in_its_state_with_its_times) {
  use("image-service");
  EXPECT_EQ(
      put(old_image("")),
      "Contract image-service, image: processingStatus is completed, and begins as pending (rule start)");
  ASSERT_EQ(put(old_image(""), importer()), "");
  EXPECT_EQ(field(image, "processingStatus"), "completed");
  EXPECT_EQ(field(image, "updatedAt"), "2020-06-02T00:00:00.000Z");
  EXPECT_EQ(field(image, "GSI1SK"), "UPLOADED#2019-05-01T00:00:00.000Z");
  EXPECT_EQ(field(image, "imageUrl"), "https://d123.cloudfront.net/images/u1/i1.webp");
  EXPECT_EQ(field(image, "version"), "1");
  EXPECT_EQ(count("image", "completed"), 1);
  EXPECT_EQ(rows(tags_table).size(), 1U);
}

TEST_F(RulesTest, I9_importing_twice_gives_the_same_record_and_one_line_of_history) {
  use("image-service");
  ASSERT_EQ(put(old_image(""), importer()), "");
  const std::string first = get(image);
  clock_.advance_ms(5000);
  ASSERT_EQ(put(old_image(""), importer()), "");
  EXPECT_EQ(get(image), first);
  EXPECT_EQ(count("image", "completed"), 1);
  EXPECT_EQ(rows(tags_table).size(), 1U);
  const auto history = rows(journal_table);
  ASSERT_EQ(history.size(), 1U);
  EXPECT_NE(history[0].find(R"("action":"import")"), std::string::npos) << history[0];
}

TEST_F(RulesTest, I9_what_changed_elsewhere_is_followed_also_where_writers_here_may_not) {
  use("image-service");
  ASSERT_EQ(put(old_image(""), importer()), "");
  std::string other = old_image(R"(,"version":{"N":"7"})");
  other.replace(other.find("u1"), 2, "u2");
  ASSERT_EQ(put(other, importer()), "");
  EXPECT_EQ(field(image, "userId"), "u2");
  EXPECT_EQ(field(image, "GSI1PK"), "USER#u2");
  EXPECT_EQ(field(image, "version"), "7");
}

TEST_F(RulesTest, I9_what_a_record_may_not_be_it_may_not_be_imported_as) {
  use("image-service");
  EXPECT_EQ(put(old_image(R"(,"processingError":{"S":"late"})"), importer()),
            "Contract image-service, image: processingError may only be there in failed (rule only_in)");
  std::string wrong = old_image("");
  wrong.replace(wrong.find("completed"), 9, "finished!");
  EXPECT_NE(put(wrong, importer()).find("(rule one_of)"), std::string::npos);
}

TEST_F(RulesTest, I9_nobody_is_set_to_work_or_told_because_of_an_import) {
  use("orchestrator");
  ASSERT_EQ(put(job("queued"), importer()), "");
  EXPECT_TRUE(messages("lifebook-orchestrator-queue").empty());
  ASSERT_EQ(put(job("completed"), importer()), "");
  EXPECT_EQ(field(job_key, "status"), "completed");
  for (const auto& line : rows(journal_table)) {
    EXPECT_EQ(line.find(R"("event")"), std::string::npos) << line;
  }
}

TEST_F(RulesTest, I9_an_object_that_is_there_sets_nobody_to_work_on_an_imported_record) {
  use("image-service");
  const auto object =
      action(store::ActionKind::put,
             R"({"bucket":{"S":"images-lego-moc-dev"},"key":{"S":"uploads/u1/i1"},"content":{"S":"c"}})",
             objects_table);
  ASSERT_EQ(write({object}, {"tester", {}, {}}), "");
  std::string pending = old_image("");
  pending.replace(pending.find("completed"), 9, "pending");
  ASSERT_EQ(put(pending, importer()), "");
  EXPECT_TRUE(messages("images-dev-queue").empty());
  ASSERT_EQ(remove(image), "");
  ASSERT_EQ(put(pending), "");
  EXPECT_EQ(messages("images-dev-queue").size(), 1U);
}

}  // namespace
}  // namespace waybill::rules
