// What a contract in force does to writes: refusals, and what is filled in.
#include <algorithm>
#include <future>
#include <thread>

#include "base/json.h"
#include "rules/audit_check.h"
#include "rules/fixture.h"

namespace waybill::rules {
namespace {

constexpr std::string_view job_key = R"({"job_id":{"S":"j1"}})";

std::string job(std::string_view id, std::string_view more = {}) {
  return R"({"job_id":{"S":")" + std::string(id) +
         R"("},"workspace_id":{"S":"w"},"user_id":{"S":"u"},"workflow_id":{"S":"f"},"trigger_type":{"S":"manual"},)" +
         R"("idempotency_key":{"S":"key-)" + std::string(id) + R"("})" + std::string(more) + "}";
}

TEST_F(RulesTest, O2_a_new_job_has_its_defaults_and_times) {
  use("orchestrator");
  ASSERT_EQ(put(job("j1")), "");
  EXPECT_EQ(field(job_key, "status"), "pending");
  EXPECT_EQ(field(job_key, "max_attempts"), "5");
  EXPECT_EQ(field(job_key, "attempts"), "0");
  EXPECT_EQ(field(job_key, "step_cursor"), "0");
  EXPECT_EQ(field(job_key, "created_at"), "2027-01-15T08:00:00.000Z");
  EXPECT_EQ(field(job_key, "updated_at"), "2027-01-15T08:00:00.000Z");
  EXPECT_EQ(field(job_key, "started_at"), "-");
}

TEST_F(RulesTest, O2_what_a_writer_gives_itself_is_kept) {
  use("orchestrator");
  ASSERT_EQ(put(job("j1", R"(,"created_at":{"S":"2026-01-29T08:00:00Z"},"max_attempts":{"N":"2"})")), "");
  EXPECT_EQ(field(job_key, "created_at"), "2026-01-29T08:00:00Z");
  EXPECT_EQ(field(job_key, "max_attempts"), "2");
  EXPECT_EQ(update(job_key, "SET created_at = :t", R"({":t":{"S":"2026-02-01T00:00:00Z"}})"),
            "Contract orchestrator, job: created_at never changes once it is set (rule fixed)");
}

TEST_F(RulesTest, O2_types_enums_and_what_is_required) {
  use("orchestrator");
  EXPECT_EQ(put(R"({"job_id":{"S":"j1"}})"),
            "Contract orchestrator, job: workspace_id is missing (rule required)");
  EXPECT_EQ(last_refusal_.kind, ErrorKind::invalid);
  EXPECT_EQ(put(job("j1", R"(,"attempts":{"S":"1"})")),
            "Contract orchestrator, job: attempts is \"1\", and must be a whole number (rule type)");
  EXPECT_EQ(put(job("j1", R"(,"attempts":{"N":"1.5"})")),
            "Contract orchestrator, job: attempts is 1.5, and must be a whole number (rule type)");
  EXPECT_EQ(put(job("j1", R"(,"attempts":{"N":"-1"})")),
            "Contract orchestrator, job: attempts is -1, and must be at least 0 (rule min)");
  EXPECT_EQ(
      put(job("j1", R"(,"trigger_type":{"S":"hand"})")),
      "Contract orchestrator, job: trigger_type is \"hand\", and must be one of manual, schedule, webhook, "
      "file_drop (rule one_of)");
  EXPECT_EQ(
      put(job("j1", R"(,"status":{"S":"odd"})")),
      "Contract orchestrator, job: status is \"odd\", and must be one of pending, queued, canceled, running, "
      "completed, "
      "failed, dead (rule one_of)");
  EXPECT_EQ(get(job_key), "");
}

TEST_F(RulesTest, O3_invalid_moves_are_refused_counted_and_in_the_history) {
  use("orchestrator");
  ASSERT_EQ(put(job("j1", R"(,"status":{"S":"queued"})")), "");
  const std::string refused = put(job("j1", R"(,"status":{"S":"completed"})"));
  EXPECT_EQ(
      refused,
      "Contract orchestrator, job: status may not go from queued to completed; from queued it may go to: "
      "running, canceled (rule moves)");
  EXPECT_EQ(last_refusal_.kind, ErrorKind::condition_failed);
  EXPECT_EQ(field(job_key, "status"), "queued");
  EXPECT_EQ(*store_->counter(count_of_refusals("orchestrator", "job", "moves")), 1);
  const auto history = rows(journal_table);
  ASSERT_EQ(history.size(), 2U);
  EXPECT_NE(history[0].find(R"("action":"created","ttl")"), std::string::npos) << history[0];
  EXPECT_NE(history[1].find(R"("action":"refused")"), std::string::npos) << history[1];
  EXPECT_NE(history[1].find(R"("from":"queued","to":"completed","rule":"moves")"), std::string::npos)
      << history[1];
}

TEST_F(RulesTest, O10_an_end_sets_what_it_is_kept_by_and_cannot_be_left) {
  use("orchestrator");
  ASSERT_EQ(put(job("j1", R"(,"status":{"S":"queued"})")), "");
  clock_.advance_ms(1000);
  ASSERT_EQ(put(job("j1", R"(,"status":{"S":"running"})")), "");
  EXPECT_EQ(field(job_key, "started_at"), "2027-01-15T08:00:01.000Z");
  clock_.advance_ms(1000);
  ASSERT_EQ(put(job("j1", R"(,"status":{"S":"completed"})")), "");
  EXPECT_EQ(field(job_key, "ttl_at"), std::to_string(start_ms / 1000 + 2 + 90 * 86400));
  EXPECT_EQ(field(job_key, "completed_at"), "2027-01-15T08:00:02.000Z");
  EXPECT_EQ(
      put(job("j1", R"(,"status":{"S":"running"})")),
      "Contract orchestrator, job: status may not go from completed to running; from completed it may go to: "
      "none, it is an end (rule moves)");
  EXPECT_EQ(count("job", "completed"), 1);
  EXPECT_EQ(count("job", "queued"), 0);
  EXPECT_EQ(count("job", "running"), 0);
}

TEST_F(RulesTest, O4_a_job_that_is_queued_is_announced_in_the_same_commit) {
  use("orchestrator");
  ASSERT_EQ(put(job("j1", R"(,"trace_id":{"S":"t"})")), "");
  EXPECT_TRUE(messages("lifebook-orchestrator-queue").empty());
  ASSERT_EQ(put(job("j1", R"(,"trace_id":{"S":"t"},"status":{"S":"queued"})")), "");
  EXPECT_EQ(messages("lifebook-orchestrator-queue"),
            std::vector<std::string>{
                R"({"v":1,"job_id":"j1","workspace_id":"w","trigger_type":"manual","attempt":1,)"
                R"("max_attempts":5,"trace_id":"t","idempotency_key":"key-j1"})"});
}

TEST_F(RulesTest, O7_the_second_job_with_a_key_is_refused_and_told_of_the_first) {
  use("orchestrator");
  ASSERT_EQ(put(job("j1", R"(,"status":{"S":"queued"})")), "");
  const std::string second = R"({"job_id":{"S":"j2"},"workspace_id":{"S":"w"},"user_id":{"S":"u"},)"
                             R"("workflow_id":{"S":"f"},"trigger_type":{"S":"manual"},)"
                             R"("idempotency_key":{"S":"key-j1"},"status":{"S":"queued"}})";
  EXPECT_EQ(put(second), "Contract orchestrator, job: its idempotency key is that of j1 (rule idempotency)");
  EXPECT_EQ(last_refusal_.kind, ErrorKind::key_in_use);
  EXPECT_EQ(last_refusal_.detail, "j1");
  EXPECT_EQ(messages("lifebook-orchestrator-queue").size(), 1U);
  clock_.advance_ms(int64_t{73} * 3600 * 1000);
  EXPECT_EQ(put(second), "");
}

TEST_F(RulesTest, O7_also_of_two_jobs_in_one_transaction_one_has_the_key) {
  use("orchestrator");
  std::string second = job("j2");
  second.replace(second.find("key-j2"), 6, "key-j1");
  EXPECT_EQ(write({action(store::ActionKind::put, job("j1"), deployed_->table),
                   action(store::ActionKind::put, second, deployed_->table)},
                  {"tester", {}, {}}),
            "Contract orchestrator, job: its idempotency key is that of j1 (rule idempotency)");
  EXPECT_EQ(get(job_key), "");
  EXPECT_EQ(write({action(store::ActionKind::put, job("j1"), deployed_->table),
                   action(store::ActionKind::put, job("j2"), deployed_->table)},
                  {"tester", {}, {}}),
            "");
}

TEST_F(RulesTest, O7_a_key_is_within_its_workspace_whatever_that_is_called) {
  use("orchestrator");
  const auto job_of = [](std::string_view id, std::string_view workspace, std::string_view key) {
    return R"({"job_id":{"S":")" + std::string(id) + R"("},"workspace_id":{"S":")" + std::string(workspace) +
           R"("},"user_id":{"S":"u"},"workflow_id":{"S":"f"},"trigger_type":{"S":"manual"},)" +
           R"("idempotency_key":{"S":")" + std::string(key) + R"("}})";
  };
  EXPECT_EQ(put(job_of("j1", "a", "b/c")), "");
  EXPECT_EQ(put(job_of("j2", "a/b", "c")), "");
  EXPECT_EQ(put(job_of("j3", "a%2Fb", "c")), "");
  EXPECT_NE(put(job_of("j4", "a/b", "c")), "");
}

TEST_F(RulesTest, a_dead_job_is_replayed_by_hand_alone) {
  use("orchestrator");
  ASSERT_EQ(put(job("j1", R"(,"status":{"S":"queued"})")), "");
  ASSERT_EQ(put(job("j1", R"(,"status":{"S":"running"})")), "");
  ASSERT_EQ(put(job("j1", R"(,"status":{"S":"dead"})")), "");
  EXPECT_NE(put(job("j1", R"(,"status":{"S":"queued"})")), "");
  EXPECT_EQ(put(job("j1", R"(,"status":{"S":"queued"})"), {"ann", "replay", "tried again"}), "");
  EXPECT_EQ(field(job_key, "ttl_at"), "-");
  EXPECT_EQ(messages("lifebook-orchestrator-queue").size(), 2U);
}

TEST_F(RulesTest, a_removed_job_leaves_no_counts_and_frees_its_key) {
  use("orchestrator");
  ASSERT_EQ(put(job("j1", R"(,"status":{"S":"queued"})")), "");
  EXPECT_EQ(*store_->counter(count_of_state("orchestrator", "job", "queued", "w")), 1);
  ASSERT_EQ(remove(job_key), "");
  EXPECT_EQ(count("job", "queued"), 0);
  EXPECT_EQ(*store_->counter(count_of_state("orchestrator", "job", "queued", "w")), 0);
  EXPECT_TRUE(rows(keys_table).empty());
}

TEST_F(RulesTest, an_expired_job_leaves_no_counts) {
  use("orchestrator");
  ASSERT_EQ(put(job("j1", R"(,"status":{"S":"queued"})")), "");
  ASSERT_EQ(put(job("j1", R"(,"status":{"S":"canceled"})")), "");
  EXPECT_EQ(count("job", "canceled"), 1);
  clock_.advance_ms(int64_t{31} * 86400 * 1000);
  EXPECT_TRUE(eventually([&] { return count("job", "canceled") == 0; }));
}

TEST_F(RulesTest, rules_hold_again_after_a_restart) {
  use("orchestrator");
  ASSERT_EQ(put(job("j1", R"(,"status":{"S":"queued"})")), "");
  contracts_.reset();
  reopen();
  EXPECT_EQ(put(job("j1", R"(,"status":{"S":"running"})")),
            "The contract of table lifebook-orchestrator-jobs is not in force yet. Please try again.");
  open_contracts();
  EXPECT_NE(put(job("j1", R"(,"status":{"S":"completed"})")), "");
  EXPECT_EQ(put(job("j1", R"(,"status":{"S":"running"})")), "");
  EXPECT_EQ(count("job", "running"), 1);
  EXPECT_EQ(count("job", "queued"), 0);
}

constexpr std::string_view photo = R"({"jobId":{"S":"p1"}})";

std::string photo_job(std::string_view more) {
  return R"({"jobId":{"S":"p1"},"userId":{"S":"u"},"fileSize":{"N":"1024"},"fileType":{"S":"image/jpeg"},)"
         R"("provider":{"S":"stub"})" +
         std::string(more) + "}";
}

TEST_F(RulesTest, P2_nested_fields_are_checked_with_their_path) {
  use("photo-editor");
  EXPECT_EQ(put(photo_job(R"(,"analysisResult":{"M":{"labels":{"L":[{"M":{"name":{"S":"sky"},)"
                          R"("confidence":{"N":"1.5"}}}]}}})")),
            "Contract photo-editor, job: analysisResult.labels[0].confidence is 1.5, and must be at most 1 "
            "(rule max)");
  EXPECT_EQ(put(photo_job(R"(,"editResult":{"M":{"s3Key":{"S":"k"}}})")),
            "Contract photo-editor, job: editResult.width is missing (rule required)");
}

TEST_F(RulesTest, P7_ttl_is_ninety_days_from_creation) {
  use("photo-editor");
  ASSERT_EQ(put(photo_job(R"(,"createdAt":{"N":"1800000000500"})")), "");
  EXPECT_EQ(field(photo, "ttl"), std::to_string(1800000000 + 90 * 86400));
  EXPECT_EQ(field(photo, "status"), "QUEUED");
}

TEST_F(RulesTest, P13_the_stack_is_dropped_in_prod_and_kept_in_dev) {
  constexpr std::string_view error =
      R"(,"error":{"M":{"code":{"S":"E"},"message":{"S":"m"},"stack":{"S":"at x"}}})";
  use("photo-editor", {{"env", "prod"}});
  EXPECT_EQ(deployed_->table, "photoeditor-prod-jobs");
  ASSERT_EQ(put(photo_job(error)), "");
  EXPECT_NE(get(photo).find(R"("error":{"code":"E","message":"m","retryCount":0})"), std::string::npos)
      << get(photo);
}

TEST_F(RulesTest, P13_the_stack_is_kept_in_dev) {
  use("photo-editor");
  ASSERT_EQ(put(photo_job(R"(,"error":{"M":{"code":{"S":"E"},"message":{"S":"m"},"stack":{"S":"at x"}}})")),
            "");
  EXPECT_NE(get(photo).find(R"("stack":"at x")"), std::string::npos) << get(photo);
}

TEST_F(RulesTest, P13_what_a_job_is_followed_by_is_in_its_events) {
  use("photo-editor");
  ASSERT_EQ(put(photo_job(R"(,"correlationId":{"S":"c-1"},"traceId":{"S":"t-1"})")), "");
  const auto all = rows(journal_table);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_NE(all.front().find(R"("event":"photo_job_created","data":{"jobId":"p1","status":"QUEUED",)"
                             R"("correlationId":"c-1","traceId":"t-1"})"),
            std::string::npos)
      << all.front();
}

constexpr std::string_view image = R"({"PK":{"S":"IMAGE#i1"},"SK":{"S":"METADATA"}})";

std::string image_item(std::string_view more) {
  return R"({"PK":{"S":"IMAGE#i1"},"SK":{"S":"METADATA"},"userId":{"S":"u1"},"originalFilename":{"S":"a.jpg"},)"
         R"("mimeType":{"S":"image/jpeg"},"fileSize":{"N":"10"})" +
         std::string(more) + "}";
}

TEST_F(RulesTest, I2_computed_attributes_are_the_systems) {
  use("image-service");
  ASSERT_EQ(put(image_item(R"(,"width":{"N":"1920"},"height":{"N":"1080"},"GSI1PK":{"S":"mine"})")), "");
  EXPECT_EQ(field(image, "id"), "i1");
  EXPECT_EQ(field(image, "aspectRatio"), "1.7777777777777777");
  EXPECT_EQ(field(image, "GSI1PK"), "USER#u1");
  EXPECT_EQ(field(image, "GSI1SK"), "UPLOADED#2027-01-15T08:00:00.000Z");
  EXPECT_EQ(field(image, "imageUrl"), "https://d123.cloudfront.net/images/u1/i1.webp");
  EXPECT_EQ(field(image, "GSI2PK"), "-");
  EXPECT_EQ(field(image, "version"), "1");
}

TEST_F(RulesTest, I3_an_album_comes_and_goes_with_its_index_keys) {
  use("image-service");
  ASSERT_EQ(put(image_item(R"(,"albumId":{"S":"a"})")), "");
  EXPECT_EQ(field(image, "GSI2PK"), "ALBUM#a");
  EXPECT_EQ(field(image, "GSI2SK"), "UPLOADED#2027-01-15T08:00:00.000Z");
  ASSERT_EQ(update(image, "REMOVE albumId SET title = :t", R"({":t":{"S":"x"}})"), "");
  EXPECT_EQ(field(image, "GSI2PK"), "-");
  EXPECT_EQ(field(image, "GSI2SK"), "-");
  EXPECT_EQ(field(image, "version"), "2");
}

TEST_F(RulesTest, I4_versions_count_one_by_one) {
  use("image-service");
  ASSERT_EQ(put(image_item("")), "");
  ASSERT_EQ(update(image, "SET title = :t, version = version + :one", R"({":t":{"S":"x"},":one":{"N":"1"}})"),
            "");
  EXPECT_EQ(field(image, "version"), "2");
  EXPECT_EQ(update(image, "SET title = :t, version = :v", R"({":t":{"S":"y"},":v":{"N":"9"}})"),
            "Contract image-service, image: version is 9, and the next one is 3 (rule version)");
  EXPECT_EQ(last_refusal_.kind, ErrorKind::condition_failed);
}

TEST_F(RulesTest, I4_the_owner_never_changes) {
  use("image-service");
  ASSERT_EQ(put(image_item("")), "");
  EXPECT_EQ(update(image, "SET userId = :u", R"({":u":{"S":"u2"}})"),
            "Contract image-service, image: userId never changes once it is set (rule fixed)");
}

TEST_F(RulesTest, I5_tags_are_kept_in_the_commit) {
  use("image-service");
  ASSERT_EQ(put(image_item(R"(,"tags":{"L":[{"S":"sea"},{"S":"sky"}]})")), "");
  EXPECT_EQ(rows(tags_table).size(), 2U);
  ASSERT_EQ(update(image, "SET tags = :t", R"({":t":{"L":[{"S":"sky"}]}})"), "");
  EXPECT_EQ(rows(tags_table),
            std::vector<std::string>{R"({"tag":"image-service/image/u1/sky",)"
                                     R"("place":"2027-01-15T08:00:00.000Z/i1","id":"i1"})"});
  ASSERT_EQ(remove(image), "");
  EXPECT_TRUE(rows(tags_table).empty());
}

TEST_F(RulesTest, T1_the_owners_history_is_always_in_agreement) {
  use("text-analyzer");
  const std::string file =
      R"({"PK":{"S":"FILE#f1"},"SK":{"S":"META"},"ownerId":{"S":"o"},"s3Bucket":{"S":"b"},)"
      R"("s3Key":{"S":"k"},"originalFileName":{"S":"a.txt"}})";
  constexpr std::string_view file_key = R"({"PK":{"S":"FILE#f1"},"SK":{"S":"META"}})";
  constexpr std::string_view mirror_key = R"({"PK":{"S":"OWNER#o"},"SK":{"S":"FILE#f1"}})";
  ASSERT_EQ(put(file), "");
  EXPECT_EQ(field(mirror_key, "status"), "PENDING");
  std::string working = file;
  working.insert(working.size() - 1, R"(,"status":{"S":"IN_PROGRESS"})");
  ASSERT_EQ(put(working), "");
  EXPECT_EQ(field(mirror_key, "status"), "IN_PROGRESS");
  EXPECT_EQ(field(mirror_key, "updatedAt"), field(file_key, "updatedAt"));
}

TEST_F(RulesTest, T1_a_mirror_is_not_written_alone) {
  use("text-analyzer");
  const std::string mirror = R"({"PK":{"S":"OWNER#o"},"SK":{"S":"FILE#f1"},"fileId":{"S":"f1"}})";
  EXPECT_EQ(
      put(mirror),
      "Contract text-analyzer, file: history is written with its file, and there is none (rule mirrors)");
  const std::string file =
      R"({"PK":{"S":"FILE#f1"},"SK":{"S":"META"},"ownerId":{"S":"o"},"s3Bucket":{"S":"b"},)"
      R"("s3Key":{"S":"k"},"originalFileName":{"S":"a.txt"}})";
  // A client that writes both in one transaction, in whatever order, is understood.
  EXPECT_EQ(write({action(store::ActionKind::put, mirror, deployed_->table),
                   action(store::ActionKind::put, file, deployed_->table)},
                  {"tester", {}, {}}),
            "");
  constexpr std::string_view mirror_key = R"({"PK":{"S":"OWNER#o"},"SK":{"S":"FILE#f1"}})";
  EXPECT_EQ(field(mirror_key, "originalFileName"), "a.txt");
  EXPECT_EQ(remove(mirror_key),
            "Contract text-analyzer, file: history is written with its file, and stays as long as that (rule "
            "mirrors)");
  ASSERT_EQ(remove(R"({"PK":{"S":"FILE#f1"},"SK":{"S":"META"}})"), "");
  EXPECT_EQ(get(mirror_key), "");
}

TEST_F(RulesTest, T1_a_mirror_that_is_written_alone_stays_what_its_record_says) {
  use("text-analyzer");
  ASSERT_EQ(put(R"({"PK":{"S":"FILE#f1"},"SK":{"S":"META"},"ownerId":{"S":"o"},"s3Bucket":{"S":"b"},)"
                R"("s3Key":{"S":"k"},"originalFileName":{"S":"a.txt"}})"),
            "");
  constexpr std::string_view mirror_key = R"({"PK":{"S":"OWNER#o"},"SK":{"S":"FILE#f1"}})";
  const std::string before = get(mirror_key);
  EXPECT_EQ(put(R"({"PK":{"S":"OWNER#o"},"SK":{"S":"FILE#f1"},"status":{"S":"COMPLETED"}})"), "");
  EXPECT_EQ(update(mirror_key, "SET originalFileName = :n", R"({":n":{"S":"b.txt"}})"), "");
  EXPECT_EQ(get(mirror_key), before);
  EXPECT_EQ(
      put(R"({"PK":{"S":"OWNER#p"},"SK":{"S":"FILE#f1"},"status":{"S":"PENDING"}})"),
      "Contract text-analyzer, file: history is written with its file, and there is none (rule mirrors)");
}

TEST_F(RulesTest, T5_an_error_message_only_with_FAILED) {
  use("text-analyzer");
  const std::string file =
      R"({"PK":{"S":"FILE#f1"},"SK":{"S":"META"},"ownerId":{"S":"o"},"s3Bucket":{"S":"b"},)"
      R"("s3Key":{"S":"k"},"originalFileName":{"S":"a.txt"},"errorMessage":{"S":"e"}})";
  EXPECT_EQ(put(file),
            "Contract text-analyzer, file: errorMessage may only be there in FAILED (rule only_in)");
}

TEST_F(RulesTest, A1_kinds_are_told_by_their_keys) {
  use("asset-creator");
  EXPECT_EQ(
      put(R"({"PK":{"S":"THING#1"},"SK":{"S":"X"}})"),
      "Contract asset-creator: no kind of record has this key; there are: project, job, step, asset, outbox, "
      "idempotency, audit (rule key)");
  ASSERT_EQ(put(R"({"PK":{"S":"PROJECT#p"},"SK":{"S":"JOB#j"},"asset_type":{"S":"3D"}})"), "");
  constexpr std::string_view key = R"({"PK":{"S":"PROJECT#p"},"SK":{"S":"JOB#j"}})";
  EXPECT_EQ(field(key, "project_id"), "p");
  EXPECT_EQ(field(key, "job_id"), "j");
  EXPECT_EQ(field(key, "GSI1PK"), "JOB_STATUS#queued");
  EXPECT_EQ(
      put(R"({"PK":{"S":"PROJECT#p"},"SK":{"S":"JOB#k"},"asset_type":{"S":"3D"},"project_id":{"S":"q"}})"),
      "Contract asset-creator, job: project_id is not what the key PK says: p (rule key)");
}

TEST_F(RulesTest, A5_a_hash_is_a_key_where_all_its_fields_are_there) {
  use("asset-creator");
  const auto step = [](std::string_view job, std::string_view more) {
    return R"({"PK":{"S":"JOB#)" + std::string(job) +
           R"("},"SK":{"S":"STEP#refine#2027-01-15T08:00:00.000Z"},"project_id":{"S":"p"})" +
           std::string(more) + "}";
  };
  EXPECT_EQ(put(step("j1", "")), "");
  EXPECT_EQ(put(step("j2", "")), "");
  const std::string_view all =
      R"(,"asset_type":{"S":"3D"},"inputs":{"S":"cat"},"seed":{"N":"1"},"model_version":{"S":"v1"})";
  EXPECT_EQ(put(step("j3", all)), "");
  EXPECT_NE(put(step("j4", all)).find("(rule idempotency)"), std::string::npos);
}

TEST_F(RulesTest, A4_change_and_event_are_one_write) {
  use("asset-creator");
  ASSERT_EQ(put(R"({"PK":{"S":"PROJECT#p"},"SK":{"S":"JOB#j"},"asset_type":{"S":"3D"}})"), "");
  const auto all = rows(deployed_->table);
  const auto outbox = std::ranges::find_if(
      all, [](const std::string& row) { return row.find("OUTBOX#") != std::string::npos; });
  ASSERT_NE(outbox, all.end());
  EXPECT_NE(
      outbox->find(
          R"("type":"asset_job_created","payload":{"project_id":"p","job_id":"j","status":"queued"},"status":"pending")"),
      std::string::npos)
      << *outbox;
}

TEST_F(RulesTest, A6_audit_lines_are_chained_and_only_added) {
  use("asset-creator");
  ASSERT_EQ(put(R"({"PK":{"S":"PROJECT#p"},"SK":{"S":"JOB#j"},"asset_type":{"S":"3D"}})"), "");
  ASSERT_EQ(
      put(R"({"PK":{"S":"PROJECT#p"},"SK":{"S":"JOB#j"},"asset_type":{"S":"3D"},"status":{"S":"canceled"}})"),
      "");
  std::vector<std::string> lines;
  for (const auto& row : rows(deployed_->table)) {
    if (row.find("AUDIT#") != std::string::npos) {
      lines.push_back(row);
    }
  }
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_NE(lines[0].find(R"("number":1,"previous":"0000)"), std::string::npos) << lines[0];
  EXPECT_NE(lines[1].find(R"("number":2)"), std::string::npos) << lines[1];
  EXPECT_EQ(remove(R"({"PK":{"S":"PROJECT#p"},"SK":{"S":"AUDIT#2027-01-15T08:00:00.000Z#tester"}})"),
            "Contract asset-creator, audit: audit lines are only ever added (rule audit)");
}

TEST_F(RulesTest, A6_what_is_written_while_a_trail_is_read_is_no_fault) {
  use("asset-creator");
  std::thread writer([&] {
    for (int i = 0; i < 300; ++i) {
      put(R"({"PK":{"S":"PROJECT#p"},"SK":{"S":"JOB#)" + std::to_string(i) +
          R"("},"asset_type":{"S":"3D"}})");
    }
  });
  for (uint64_t lines = 0; lines < 300;) {
    const auto found = check_audit(*store_, *deployed_);
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_TRUE(found->faults.empty()) << found->faults.front();
    lines = found->faults.empty() ? found->lines : 300;
  }
  writer.join();
}

TEST_F(RulesTest, A6_a_key_that_cannot_be_made_of_a_line_is_refused) {
  std::string text = contract_text("asset-creator");
  const std::string key = "AUDIT#{ts}#{actor}";
  open_contracts();
  for (const auto* const other : {"AUDIT#{actor}", "AUDIT#{ts}#{action}"}) {
    std::string changed = text;
    changed.replace(changed.find(key), key.size(), other);
    const auto applied = contracts_->apply({"a", changed, {}});
    ASSERT_FALSE(applied) << other;
    EXPECT_NE(applied.error().message.find("the key of audit lines"), std::string::npos)
        << applied.error().message;
  }
}

TEST_F(RulesTest, A6_a_clients_line_cannot_look_like_one_of_the_chain) {
  use("asset-creator");
  const std::string line =
      R"({"PK":{"S":"PROJECT#p"},"SK":{"S":"AUDIT#2027-01-01T00:00:00.000Z#ann"},"action":{"S":"looked"})";
  for (const std::string name : {"hash", "previous", "number"}) {
    EXPECT_EQ(
        put(line + ",\"" + name + R"(":{"S":"1"}})"),
        "Contract asset-creator, audit: " + name + " is in lines of the system's own alone (rule audit)");
  }
  EXPECT_EQ(put(line + "}"), "");
  const auto findings = check_audit(*store_, *deployed_);
  ASSERT_TRUE(findings);
  EXPECT_TRUE(findings->faults.empty()) << findings->faults.front();
}

TEST_F(RulesTest, A6_a_line_that_is_taken_from_the_end_is_missed) {
  use("asset-creator");
  for (const std::string id : {"a", "b"}) {
    ASSERT_EQ(put(R"({"PK":{"S":"PROJECT#p"},"SK":{"S":"JOB#)" + id + R"("},"asset_type":{"S":"3D"}})"), "");
  }
  ASSERT_TRUE(contracts_->withdraw("asset-creator"));
  ASSERT_EQ(remove(R"({"PK":{"S":"PROJECT#p"},"SK":{"S":"AUDIT#2027-01-15T08:00:00.001Z#tester"}})"), "");
  const auto findings = check_audit(*store_, *deployed_);
  ASSERT_EQ(findings->faults.size(), 1U);
  EXPECT_EQ(findings->faults[0], "trail asset-creator/p: it ends with line 1, and has had 2");
}

TEST_F(RulesTest, A9_a_version_that_goes_counts_no_more_for_the_quota) {
  use("asset-creator");
  ASSERT_EQ(put(R"({"PK":{"S":"PROJECT#p"},"SK":{"S":"PROJECT#p"},"name":{"S":"n"},)"
                R"("quotas":{"M":{"assets":{"N":"11"}}}})"),
            "");
  for (int version = 1; version <= 30; ++version) {
    const std::string number = std::to_string(version);
    const std::string padded = std::string(8 - number.size(), '0') + number;
    ASSERT_EQ(put(R"({"PK":{"S":"PROJECT#p"},"SK":{"S":"ASSET#a#V#)" + padded +
                  R"("},"type":{"S":"2D"},"files":{"L":[]}})"),
              "")
        << version;
  }
  EXPECT_EQ(*store_->counter(count_of_tenant("asset-creator", "asset", "p")), 10);
  const auto journal = rows(journal_table);
  EXPECT_TRUE(std::ranges::any_of(journal, [](const std::string& row) {
    return row.find(R"("record":"asset-creator/asset/p,a,1")") != std::string::npos &&
           row.find(R"("action":"removed")") != std::string::npos;
  }));
}

TEST_F(RulesTest, A9_the_latest_versions_stay_and_older_ones_are_archived) {
  use("asset-creator");
  for (int version = 1; version <= 11; ++version) {
    const std::string number = std::to_string(version);
    const std::string padded = std::string(8 - number.size(), '0') + number;
    ASSERT_EQ(put(R"({"PK":{"S":"PROJECT#p"},"SK":{"S":"ASSET#a#V#)" + padded +
                  R"("},"type":{"S":"2D"},"files":{"L":[]}})"),
              "");
  }
  EXPECT_EQ(get(R"({"PK":{"S":"PROJECT#p"},"SK":{"S":"ASSET#a#V#00000001"}})"), "");
  EXPECT_NE(get(R"({"PK":{"S":"PROJECT#p"},"SK":{"S":"ASSET#a#V#00000002"}})"), "");
  const auto archived = rows(archive_table);
  ASSERT_EQ(archived.size(), 1U);
  EXPECT_NE(archived[0].find(R"("record":"asset-creator/asset/p,a,1")"), std::string::npos) << archived[0];
}

TEST_F(RulesTest, A14_quotas_of_a_project) {
  use("asset-creator");
  ASSERT_EQ(put(R"({"PK":{"S":"PROJECT#p"},"SK":{"S":"PROJECT#p"},"name":{"S":"n"},)"
                R"("quotas":{"M":{"jobs_waiting":{"N":"2"},"jobs_per_day":{"N":"3"}}}})"),
            "");
  const auto create = [&](const std::string& project, const std::string& id, const std::string& state) {
    return put(R"({"PK":{"S":"PROJECT#)" + project + R"("},"SK":{"S":"JOB#)" + id +
               R"("},"asset_type":{"S":"3D"},"status":{"S":")" + state + R"("}})");
  };
  EXPECT_EQ(create("p", "1", "queued"), "");
  EXPECT_EQ(create("p", "2", "queued"), "");
  EXPECT_EQ(create("p", "3", "queued"),
            "Contract asset-creator, job: p has 2 and may have 2 (rule quotas, project.quotas.jobs_waiting)");
  EXPECT_EQ(last_refusal_.kind, ErrorKind::quota_exceeded);
  EXPECT_EQ(create("q", "3", "queued"), "");
  EXPECT_EQ(create("p", "2", "running"), "");
  EXPECT_EQ(create("p", "3", "queued"), "");
  EXPECT_EQ(create("p", "3", "running"), "");
  EXPECT_EQ(create("p", "4", "queued"),
            "Contract asset-creator, job: p has 3 of today and may have 3 (rule quotas, "
            "project.quotas.jobs_per_day)");
  clock_.advance_ms(86'400'000);
  EXPECT_EQ(create("p", "4", "queued"), "");
}

TEST_F(RulesTest, A14_counts_of_a_day_go_when_it_is_over) {
  use("asset-creator");
  const auto create = [&](const std::string& project, const std::string& id) {
    return put(R"({"PK":{"S":"PROJECT#)" + project + R"("},"SK":{"S":"JOB#)" + id +
               R"("},"asset_type":{"S":"3D"}})");
  };
  const auto count_on = [&](const std::string& project, const std::string& day) {
    return *store_->counter(count_of_day("asset-creator", "job", project, day));
  };
  ASSERT_EQ(create("p", "1"), "");
  ASSERT_EQ(create("p", "2"), "");
  ASSERT_EQ(create("q", "1"), "");
  EXPECT_EQ(count_on("p", "2027-01-15"), 2);
  EXPECT_EQ(count_on("q", "2027-01-15"), 1);
  clock_.advance_ms(86'400'000);
  ASSERT_EQ(create("p", "3"), "");
  EXPECT_EQ(count_on("p", "2027-01-15"), 0);
  EXPECT_EQ(count_on("q", "2027-01-15"), 0) << "those of others as well";
  EXPECT_EQ(count_on("p", "2027-01-16"), 1);
  ASSERT_EQ(create("p", "4"), "");
  EXPECT_EQ(count_on("p", "2027-01-16"), 2);
  clock_.advance_ms(-86'400'000);
  ASSERT_EQ(create("p", "5"), "");
  EXPECT_EQ(count_on("p", "2027-01-16"), 2) << "a clock that goes back takes nothing away";
}

TEST_F(RulesTest, A14_a_limit_is_not_for_keys_that_it_limits) {
  use("asset-creator");
  const std::string key = R"({"PK":{"S":"PROJECT#p"},"SK":{"S":"PROJECT#p"})";
  ASSERT_EQ(put(key + R"(,"name":{"S":"n"},"quotas":{"M":{"assets":{"N":"11"}}}})"), "");
  const store::Author own{"own", {}, {}, true};
  EXPECT_EQ(put(key + R"(,"name":{"S":"n"}})", own),
            "Contract asset-creator, project: quotas.assets limits those whose key this is: it is for keys "
            "that may administer");
  EXPECT_EQ(last_refusal_.kind, ErrorKind::access_denied);
  EXPECT_EQ(put(key + R"(,"name":{"S":"m"},"quotas":{"M":{"assets":{"N":"11"}}}})", own), "");
  EXPECT_EQ(update(key + "}", "SET quotas.assets = :n", R"({":n":{"N":"12"}})"), "");
}

TEST_F(RulesTest, A9_the_newest_versions_stay_however_they_are_numbered) {
  use("asset-creator");
  const auto key = [](int version) {
    const std::string number = std::to_string(version);
    return R"({"PK":{"S":"PROJECT#p"},"SK":{"S":"ASSET#a#V#)" + std::string(8 - number.size(), '0') + number +
           R"("})";
  };
  const auto make = [&](int version) {
    EXPECT_EQ(put(key(version) + R"(,"type":{"S":"2D"},"files":{"L":[]}})"), "") << version;
  };
  for (int version = 10; version <= 120; version += 10) {
    make(version);
  }
  EXPECT_EQ(get(key(20) + "}"), "");
  EXPECT_NE(get(key(30) + "}"), "");
  EXPECT_EQ(rows(archive_table).size(), 2U);
  // Out of force versions come and go unseen; afterwards only what is there counts.
  ASSERT_TRUE(contracts_->withdraw("asset-creator"));
  ASSERT_EQ(remove(key(120) + "}"), "");
  ASSERT_EQ(remove(key(110) + "}"), "");
  use("asset-creator");
  make(5);
  make(130);
  EXPECT_NE(get(key(30) + "}"), "");
  EXPECT_NE(get(key(5) + "}"), "");
  make(140);
  EXPECT_EQ(get(key(5) + "}"), "");
  EXPECT_NE(get(key(30) + "}"), "");
}

TEST_F(RulesTest, A14_a_quota_holds_within_one_transaction) {
  use("asset-creator");
  ASSERT_EQ(put(R"({"PK":{"S":"PROJECT#p"},"SK":{"S":"PROJECT#p"},"name":{"S":"n"},)"
                R"("quotas":{"M":{"jobs_waiting":{"N":"1"}}}})"),
            "");
  const auto job_of = [&](const std::string& id) {
    return action(store::ActionKind::put,
                  R"({"PK":{"S":"PROJECT#p"},"SK":{"S":"JOB#)" + id + R"("},"asset_type":{"S":"3D"}})",
                  deployed_->table);
  };
  EXPECT_NE(write({job_of("1"), job_of("2")}, {"tester", {}, {}}).find("(rule quotas"), std::string::npos);
  EXPECT_EQ(count("job", "queued"), 0);
  EXPECT_EQ(write({job_of("1")}, {"tester", {}, {}}), "");
}

TEST_F(RulesTest, A14_a_version_that_goes_makes_room_for_the_next) {
  use("asset-creator");
  ASSERT_EQ(put(R"({"PK":{"S":"PROJECT#p"},"SK":{"S":"PROJECT#p"},"name":{"S":"n"},)"
                R"("quotas":{"M":{"assets":{"N":"10"}}}})"),
            "");
  const auto make = [&](const std::string& asset, int version) {
    const std::string number = std::to_string(version);
    return put(R"({"PK":{"S":"PROJECT#p"},"SK":{"S":"ASSET#)" + asset + "#V#" +
               std::string(8 - number.size(), '0') + number + R"("},"type":{"S":"2D"},"files":{"L":[]}})");
  };
  for (int version = 1; version <= 13; ++version) {
    EXPECT_EQ(make("a", version), "");
  }
  EXPECT_EQ(*store_->counter(count_of_tenant("asset-creator", "asset", "p")), 10);
  EXPECT_NE(make("b", 1).find("(rule quotas"), std::string::npos);
  const auto history = rows(journal_table);
  EXPECT_EQ(std::ranges::count_if(
                history, [](const std::string& row) { return row.find("removed") != std::string::npos; }),
            3);
}

TEST_F(RulesTest, what_belongs_to_another_field_goes_with_it) {
  use_text(
      "contract: albums\nversion: 1\ntable: {name: things, key: id}\nrecords:\n  thing:\n    fields:\n"
      "      id: string\n      album?: string\n      place?: {type: int, only_with: album}\n");
  constexpr std::string_view key = R"({"id":{"S":"1"}})";
  ASSERT_EQ(put(R"({"id":{"S":"1"},"album":{"S":"a"},"place":{"N":"3"}})"), "");
  ASSERT_EQ(update(key, "REMOVE album SET note = :n", R"({":n":{"S":"x"}})"), "");
  EXPECT_EQ(field(key, "place"), "-");
}

TEST_F(RulesTest, a_tenant_that_comes_later_is_counted) {
  use_text(
      "contract: teams\nversion: 1\ntable: {name: things, key: id}\nrecords:\n  thing:\n    tenant: team\n"
      "    fields:\n      id: string\n      team?: string\n"
      "    status: {field: status, start: open, moves: {open: [closed]}, ends: [closed]}\n");
  constexpr std::string_view key = R"({"id":{"S":"1"}})";
  ASSERT_EQ(put(R"({"id":{"S":"1"}})"), "");
  ASSERT_EQ(update(key, "SET team = :t", R"({":t":{"S":"red"}})"), "");
  EXPECT_EQ(count("thing", "open"), 1);
  EXPECT_EQ(*store_->counter(count_of_state("teams", "thing", "open", "red")), 1);
  ASSERT_EQ(remove(key), "");
  EXPECT_EQ(*store_->counter(count_of_state("teams", "thing", "open", "red")), 0);
}

TEST_F(RulesTest, fields_that_the_contract_does_not_name_are_refused_where_it_says_so) {
  use_text(
      "contract: strict\nversion: 1\ntable: {name: things, key: id}\nrecords:\n  thing:\n    other_fields: "
      "refuse\n"
      "    fields: {id: string, name: string}\n");
  EXPECT_EQ(put(R"({"id":{"S":"1"},"name":{"S":"n"}})"), "");
  EXPECT_EQ(put(R"({"id":{"S":"1"},"name":{"S":"n"},"nmae":{"S":"n"}})"),
            "Contract strict, thing: nmae is not a field of this record (rule other_fields)");
}

TEST_F(RulesTest, log_lets_through_and_writes_down) {
  std::string text = contract_text("orchestrator");
  text.replace(text.find("version: 1"), 10, "version: 1\nenforcement: log");
  use_text(text);
  ASSERT_EQ(put(job("j1", R"(,"status":{"S":"queued"})")), "");
  ASSERT_EQ(put(job("j1", R"(,"status":{"S":"completed"})")), "");
  EXPECT_EQ(field(job_key, "status"), "completed");
  EXPECT_EQ(*store_->counter(count_of_refusals("orchestrator", "job", "moves")), 1);
  EXPECT_EQ(count("job", "completed"), 1);
}

TEST_F(RulesTest, log_lets_a_record_through_that_is_nobodys) {
  std::string text = contract_text("asset-creator");
  text.replace(text.find("version: 1"), 10, "version: 1\nenforcement: log");
  use_text(text);
  EXPECT_EQ(put(R"({"PK":{"S":"PROJECT#p"},"SK":{"S":"JOB#j"},"project_id":{"BOOL":true}})"), "");
  EXPECT_EQ(put(R"({"PK":{"S":"PROJECT#p"},"SK":{"S":"ASSET#a#V#00000011"},"project_id":{"S":"q"},)"
                R"("version":{"N":"11"}})"),
            "");
}

TEST_F(RulesTest, records_that_came_while_it_was_off_are_counted) {
  std::string text = contract_text("orchestrator");
  text.replace(text.find("version: 1"), 10, "version: 1\nenforcement: off");
  use_text(text);
  ASSERT_EQ(put(job("j1", R"(,"status":{"S":"running"})")), "");
  text.replace(text.find("version: 1\nenforcement: off"), 27, "version: 2");
  use_text(text);
  EXPECT_EQ(count("job", "running"), 1);
}

TEST_F(RulesTest, a_contract_that_was_cut_off_on_its_way_into_force_is_counted) {
  use("orchestrator");
  ASSERT_TRUE(contracts_->withdraw("orchestrator"));
  ASSERT_EQ(put(job("j1", R"(,"status":{"S":"running"})")), "");
  std::string note;
  json::Writer(note)
      .begin_object()
      .key("text")
      .string(contract_text("orchestrator"))
      .key("parameters")
      .begin_object()
      .end_object()
      .end_object();
  std::promise<Status> done;
  store_->put_note({"contract/orchestrator", note, {}},
                   [&](Status status) { done.set_value(std::move(status)); });
  ASSERT_TRUE(done.get_future().get());
  open_contracts();
  EXPECT_EQ(count("job", "running"), 1);
}

TEST_F(RulesTest, a_contract_that_was_cut_off_on_its_way_out_leaves_its_table_free) {
  use("orchestrator");
  std::promise<Status> done;
  store_->forget_note("contract/orchestrator", [&](Status status) { done.set_value(std::move(status)); });
  ASSERT_TRUE(done.get_future().get());
  contracts_.reset();
  reopen();
  open_contracts();
  EXPECT_EQ(put(R"({"job_id":{"S":"j1"}})"), "");
}

TEST_F(RulesTest, P1_with_another_parameter_the_table_of_before_is_let_go) {
  use("photo-editor");
  use("photo-editor", {{"env", "staging"}});
  EXPECT_FALSE(store_->find_table("photoeditor-dev-jobs")->has_rules);
  ASSERT_EQ(put(photo_job("")), "");
  EXPECT_EQ(count("job", "QUEUED"), 1);
  const auto left_behind = contracts_->apply({"p", contract_text("photo-editor"), {{"env", "prod"}}});
  ASSERT_FALSE(left_behind);
  EXPECT_NE(left_behind.error().message.find("its records stay there"), std::string::npos)
      << left_behind.error().message;
}

TEST_F(RulesTest, off_lets_everything_through) {
  std::string text = contract_text("orchestrator");
  text.replace(text.find("version: 1"), 10, "version: 1\nenforcement: off");
  use_text(text);
  EXPECT_EQ(put(R"({"job_id":{"S":"j1"},"status":{"N":"1"}})"), "");
}

TEST_F(RulesTest, records_that_were_there_before_the_contract_are_counted) {
  use("orchestrator");
  ASSERT_EQ(put(job("j1", R"(,"status":{"S":"queued"})")), "");
  ASSERT_TRUE(contracts_->withdraw("orchestrator"));
  for (const auto* const id : {"j2", "j3"}) {
    ASSERT_EQ(put(job(id, R"(,"status":{"S":"running"})")), "");
  }
  ASSERT_EQ(remove(job_key), "");
  EXPECT_EQ(count("job", "queued"), 1);
  use("orchestrator");
  EXPECT_EQ(count("job", "queued"), 0);
  EXPECT_EQ(count("job", "running"), 2);
  EXPECT_EQ(*store_->counter(count_of_state("orchestrator", "job", "running", "w")), 2);
}

TEST_F(RulesTest, records_that_were_written_while_it_was_off_are_counted) {
  const auto at = [&](const std::string& head) {
    std::string text = contract_text("orchestrator");
    return text.replace(text.find("version: 1"), 10, head);
  };
  use_text(at("version: 1\nenforcement: off"));
  ASSERT_EQ(put(job("j1", R"(,"status":{"S":"running"})")), "");
  use_text(at("version: 2"));
  EXPECT_EQ(count("job", "running"), 1);
  ASSERT_EQ(remove(job_key), "");
  EXPECT_EQ(count("job", "running"), 0);
}

TEST_F(RulesTest, a_contract_is_not_changed_under_records_without_a_migration) {
  use("orchestrator");
  ASSERT_EQ(put(job("j1")), "");
  std::string text = contract_text("orchestrator");
  EXPECT_TRUE(contracts_->apply({"o", text, {}}));
  text += "\n# another text\n";
  const auto same_version = contracts_->apply({"o", text, {}});
  ASSERT_FALSE(same_version);
  EXPECT_EQ(same_version.error().message,
            "contract orchestrator: version 1 is in force with another text; give this one a higher version");
  text.replace(text.find("version: 1"), 10, "version: 2");
  EXPECT_TRUE(contracts_->apply({"o", text, {}}));
  text.replace(text.find("version: 2"), 10, "version: 3");
  text.replace(text.find("      user_id: string"), 21, "      user_id: string\n      region: string");
  const auto needs_migration = contracts_->apply({"o", text, {}});
  ASSERT_FALSE(needs_migration);
  EXPECT_NE(needs_migration.error().message.find("would need a migration"), std::string::npos);
}

}  // namespace
}  // namespace waybill::rules
