// Records are made once, with their id, their first state and their message.
#include <set>
#include <thread>

#include "job/fixture.h"

namespace waybill::job {
namespace {

TEST_F(JobTest, O1_CreatesAJobThatIsQueuedWithItsMessage) {
  const auto made = make_job("k1", R"(,"credits_estimate":{"N":"4"})");
  EXPECT_FALSE(made.repeated);
  EXPECT_EQ(made.id.size(), 36U);
  EXPECT_EQ(at(made.record, "job_id"), made.id);
  EXPECT_EQ(at(made.record, "status"), "queued");
  EXPECT_EQ(at(made.record, "max_attempts"), "5");
  EXPECT_EQ(at(made.record, "credits_reserved"), "4");
  EXPECT_EQ(messages("lifebook-orchestrator-queue"), 1);
}

TEST_F(JobTest, I6_UlidsRiseInTheOrderOfCreation) {
  std::string last;
  for (int i = 0; i < 50; ++i) {
    const auto made = make_photo();
    EXPECT_EQ(made.id.size(), 26U);
    EXPECT_LT(last, made.id);
    last = made.id;
  }
  const auto project = make(subject("asset-creator", "project"), R"({"name":{"S":"n"}})");
  EXPECT_TRUE(project.id.starts_with("prj_")) << project.id;
}

TEST_F(JobTest, O7_TheSameKeyGivesTheSameJob) {
  const auto first = make_job("k1");
  const auto again = try_create(job(), job_fields("k1"));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE(again->repeated);
  EXPECT_EQ(again->id, first.id);
  EXPECT_EQ(at(again->record, "job_id"), first.id);
  EXPECT_EQ(messages("lifebook-orchestrator-queue"), 1);
  EXPECT_FALSE(make_job("k2").repeated);
}

TEST_F(JobTest, O7_TheKeyMayComeWithTheRequest) {
  const std::string fields =
      R"({"workspace_id":{"S":"w1"},"user_id":{"S":"u"},"workflow_id":{"S":"f"},"trigger_type":{"S":"manual"}})";
  const auto first = try_create(job(), fields, "header-key");
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(at(first->record, "idempotency_key"), "header-key");
  const auto again = try_create(job(), fields, "header-key");
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->repeated);
  EXPECT_EQ(again->id, first->id);
  EXPECT_EQ(try_create(job(), job_fields("other"), "header-key").error().kind, ErrorKind::invalid);
  EXPECT_EQ(try_create(job(), fields).error().kind, ErrorKind::invalid);
}

TEST_F(JobTest, O7_OfManyAtOnceOneIsMade) {
  std::vector<std::thread> threads;
  std::vector<Result<Created>> made(8, Result<Created>(invalid("")));
  for (auto& one : made) {
    threads.emplace_back([&] { one = try_create(job(), job_fields("same")); });
  }
  for (auto& thread : threads) {
    thread.join();
  }
  std::set<std::string> ids;
  int fresh = 0;
  for (const auto& one : made) {
    ASSERT_TRUE(one) << one.error().message;
    ids.insert(one->id);
    fresh += one->repeated ? 0 : 1;
  }
  EXPECT_EQ(ids.size(), 1U);
  EXPECT_EQ(fresh, 1);
}

TEST_F(JobTest, AKeyOfTheRequestHoldsWhereTheContractHasNone) {
  const std::string fields =
      R"({"userId":{"S":"u"},"fileSize":{"N":"1"},"fileType":{"S":"t"},"provider":{"S":"stub"}})";
  const auto first = try_create(photo(), fields, "k");
  ASSERT_TRUE(first) << first.error().message;
  const auto again = try_create(photo(), fields, "k");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE(again->repeated);
  EXPECT_EQ(again->id, first->id);
  EXPECT_NE(try_create(photo(), fields, "k2")->id, first->id);
}

TEST_F(JobTest, AKeyOfTheRequestHoldsBesidesAHashOfFields) {
  const auto step = subject("asset-creator", "step");
  const std::string fields = R"({"project_id":{"S":"p"},"job_id":{"S":"j"},"step_name":{"S":"rig"}})";
  const auto first = try_create(step, fields, "k");
  ASSERT_TRUE(first) << first.error().message;
  clock_.advance_ms(1);
  const auto again = try_create(step, fields, "k");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE(again->repeated);
  EXPECT_EQ(again->id, first->id);
}

TEST_F(JobTest, A5_TheKeyMayBeAHashOfFields) {
  const auto step = subject("asset-creator", "step");
  const auto fields_with = [](const std::string& seed) {
    return R"({"project_id":{"S":"p"},"job_id":{"S":"j"},"step_name":{"S":"refine"},"asset_type":{"S":"PROP"},)"
           R"("inputs":{"M":{}},"model_version":{"S":"m1"})" +
           seed + "}";
  };
  const std::string seven = R"(,"seed":{"N":"7"})";
  const auto first = make(step, fields_with(seven));
  const auto again = try_create(step, fields_with(seven));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE(again->repeated);
  EXPECT_EQ(again->id, first.id);
  const auto other = try_create(step, fields_with(R"(,"seed":{"N":"8"})"));
  ASSERT_TRUE(other) << other.error().message;
  EXPECT_FALSE(other->repeated);
  EXPECT_NE(other->id, first.id);
  // Without one of its fields there is no hash: what is left would be that of many requests.
  EXPECT_FALSE(try_create(step, fields_with({}))->repeated);
  EXPECT_FALSE(try_create(step, fields_with({}))->repeated);
}

TEST_F(JobTest, AnIdOfTheCallersOwnIsTakenOnce) {
  const auto named = [](const std::string& key) {
    return job_fields(key, R"(,"job_id":{"S":"00000000-0000-4000-8000-000000000001"})");
  };
  EXPECT_EQ(make(job(), named("a")).id, "00000000-0000-4000-8000-000000000001");
  EXPECT_EQ(try_create(job(), named("b")).error().kind, ErrorKind::record_exists);
  EXPECT_TRUE(try_create(job(), named("a"))->repeated);
}

TEST_F(JobTest, P2_WhatBreaksTheContractIsRefused) {
  const auto refused = try_create(
      photo(), R"({"userId":{"S":"u"},"fileSize":{"N":"1"},"fileType":{"S":"t"},"provider":{"S":"none"}})");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::invalid);
  EXPECT_NE(refused.error().message.find("provider"), std::string::npos) << refused.error().message;
}

// Keys are made of fields: what a request says that they are counts for nothing.
TEST_F(JobTest, A10_ARecordOutOfReachIsNotMade) {
  access::Reach reach;
  reach.add(std::make_shared<const access::Limits>(access::Limits{{{"PROJECT#prj_1", false}}, {}}));
  const auto try_make = [&](const std::string& fields) {
    return answer_of<Created>([&](auto done) {
      create(services(),
             {subject("asset-creator", "job"),
              author(),
              item_of(fields),
              {},
              std::make_shared<const access::Reach>(reach)},
             std::move(done));
    });
  };
  EXPECT_TRUE(try_make(R"({"project_id":{"S":"prj_1"},"asset_type":{"S":"3D"}})"));
  for (const auto* const key : {"", R"(,"PK":{"S":"PROJECT#prj_1"})"}) {
    const auto made =
        try_make(R"({"project_id":{"S":"prj_2"},"asset_type":{"S":"3D"})" + std::string(key) + "}");
    ASSERT_FALSE(made) << key;
    EXPECT_EQ(made.error().kind, ErrorKind::access_denied) << key;
  }
}

}  // namespace
}  // namespace waybill::job
