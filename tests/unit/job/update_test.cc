// Changes by hand: merge patches, versions, owners.
#include "job/update.h"

#include <thread>

#include "job/etag.h"
#include "job/fixture.h"
#include "job/match.h"
#include "job/remove.h"

namespace waybill::job {
namespace {

class UpdateTest : public JobTest {
 protected:
  Subject image() const { return subject("image-service", "image"); }
  Created make_image() {
    return make(image(), R"({"userId":{"S":"u1"},"originalFilename":{"S":"a"},"mimeType":{"S":"image/png"},)"
                         R"("fileSize":{"N":"1"},"title":{"S":"t"}})");
  }
  Result<Changed> try_update(const Subject& of, const std::string& id, const std::string& set,
                             std::optional<std::string> if_match = {}, std::vector<Path> removed = {}) {
    return answer_of<Changed>([&](auto done) {
      update(services(), {target(of, id), {item_of(set), std::move(removed)}, std::move(if_match)},
             std::move(done));
    });
  }
  Result<Changed> try_remove(const Subject& of, const std::string& id, std::optional<std::string> owner = {},
                             std::optional<std::string> if_match = {}) {
    return answer_of<Changed>([&](auto done) {
      remove(services(), {target(of, id), std::move(owner), std::move(if_match)}, std::move(done));
    });
  }
};

TEST_F(UpdateTest, I4_AnUpdateIsBoundToAVersion) {
  const auto made = make_image();
  EXPECT_EQ(etag_of(image(), made.record.view()), "1");
  const auto changed = try_update(image(), made.id, R"({"albumId":{"S":"a1"}})", "1", {{"title"}});
  ASSERT_TRUE(changed) << changed.error().message;
  EXPECT_EQ(at(changed->record, "albumId"), "a1");
  EXPECT_EQ(at(changed->record, "GSI2PK"), "ALBUM#a1");
  EXPECT_EQ(at(changed->record, "title"), "");
  EXPECT_EQ(etag_of(image(), changed->record.view()), "2");
  EXPECT_EQ(try_update(image(), made.id, R"({"title":{"S":"x"}})", "1").error().kind,
            ErrorKind::version_mismatch);
  EXPECT_TRUE(try_update(image(), made.id, R"({"title":{"S":"x"}})"));
  EXPECT_TRUE(try_update(image(), made.id, R"({"title":{"S":"y"}})", "*"));
  EXPECT_EQ(try_update(image(), "none", "{}").error().kind, ErrorKind::not_found);
}

TEST_F(UpdateTest, WithoutAVersionTheWholeRecordCounts) {
  const auto made = make_photo();
  const auto etag = etag_of(photo(), made.record.view());
  clock_.advance_ms(1);
  const auto changed = try_update(photo(), made.id, R"({"originalFileName":{"S":"n"}})", etag);
  ASSERT_TRUE(changed) << changed.error().message;
  EXPECT_NE(etag_of(photo(), changed->record.view()), etag);
  EXPECT_EQ(try_update(photo(), made.id, "{}", etag).error().kind, ErrorKind::version_mismatch);
}

TEST_F(UpdateTest, WithoutAVersionAFieldThatComesMeanwhileCountsToo) {
  const auto made = make_photo();
  Draft draft(made.record);
  ASSERT_TRUE(match(photo(), draft, etag_of(photo(), made.record.view())));
  EXPECT_TRUE(draft.condition("jobId").holds(made.record.view()));
  Draft meanwhile(made.record);
  meanwhile.set_text({"traceId"}, "t");
  EXPECT_FALSE(draft.condition("jobId").holds(meanwhile.result().view()));
}

TEST_F(UpdateTest, ARecordKeepsItsKey) {
  const auto run = make_job("k");
  EXPECT_EQ(try_update(job(), run.id, R"({"job_id":{"S":"other"}})").error().detail, "job_id");
  EXPECT_TRUE(try_update(job(), run.id, R"({"job_id":{"S":")" + run.id + R"("},"trace_id":{"S":"t"}})"));
  const auto made = make_image();
  EXPECT_EQ(try_update(image(), made.id, R"({"PK":{"S":"IMAGE#x"},"id":{"S":"x"}})").error().kind,
            ErrorKind::invalid);
  EXPECT_EQ(try_update(image(), made.id, "{}", {}, {{"SK"}}).error().detail, "SK");
  EXPECT_EQ(field(image(), made.id, "PK"), "IMAGE#" + made.id);
}

TEST_F(UpdateTest, OfManyWithOneVersionOneWins) {
  const auto made = make_image();
  std::vector<std::thread> threads;
  std::atomic<int> won{0};
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      won += try_update(image(), made.id, R"({"title":{"S":")" + std::to_string(i) + "\"}}", "1") ? 1 : 0;
    });
  }
  for (auto& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(won, 1);
  EXPECT_EQ(field(image(), made.id, "version"), "2");
}

TEST_F(UpdateTest, O3_AStatusMovesAsTheContractAllows) {
  const auto made = make_job("k");
  const auto refused = try_update(job(), made.id, R"({"status":{"S":"completed"}})");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::condition_failed);
  EXPECT_EQ(refused.error().detail, "moves");
  EXPECT_TRUE(try_update(job(), made.id, R"({"status":{"S":"canceled"}})"));
  EXPECT_EQ(try_update(job(), made.id, R"({"attempts":{"S":"many"}})").error().kind, ErrorKind::invalid);
}

TEST_F(UpdateTest, I4_OnlyTheOwnerDeletes) {
  const auto made = make_image();
  EXPECT_EQ(try_remove(image(), made.id, "u2").error().kind, ErrorKind::access_denied);
  EXPECT_EQ(try_remove(image(), made.id, "u1", "7").error().kind, ErrorKind::version_mismatch);
  const auto removed = try_remove(image(), made.id, "u1", "1");
  ASSERT_TRUE(removed) << removed.error().message;
  EXPECT_EQ(at(removed->record, "title"), "t");
  EXPECT_EQ(get(services(), image(), made.id).error().kind, ErrorKind::not_found);
  EXPECT_EQ(try_remove(image(), made.id).error().kind, ErrorKind::not_found);
}

}  // namespace
}  // namespace waybill::job
