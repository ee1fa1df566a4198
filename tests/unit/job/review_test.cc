// A step pauses, somebody decides, and the pipeline goes on from there.
#include "job/review.h"

#include "job/fixture.h"
#include "job/list.h"

namespace waybill::job {
namespace {

class ReviewTest : public JobTest {
 protected:
  Subject asset() const { return subject("asset-creator", "job"); }
  Subject step_kind() const { return subject("asset-creator", "step"); }

  Created make_asset_job() {
    return make(asset(), R"({"project_id":{"S":"prj_1"},"asset_type":{"S":"3D_CHARACTER"}})");
  }
  Result<Changed> try_pause(const Claimed& held, const std::string& step = "",
                            const std::string& fields = "{}") {
    return answer_of<Changed>([&](auto done) {
      pause(services(), {target(asset(), held.id), held.lease.token, step, {item_of(fields), {}}},
            std::move(done));
    });
  }
  Result<Changed> try_approve(const std::string& id) {
    return answer_of<Changed>(
        [&](auto done) { approve(services(), {asset(), id, {"anna", "", "looks good"}}, std::move(done)); });
  }
  Result<Changed> try_reject(const std::string& id) {
    return answer_of<Changed>(
        [&](auto done) { reject(services(), {asset(), id, {"anna", "", "too dark"}}, std::move(done)); });
  }
  // "text-to-image:completed refine:paused"
  std::string steps_of(const Created& made) {
    std::string steps;
    for (const auto& record : step_records(made)) {
      steps += (steps.empty() ? "" : " ") + at(record, "step_name") + ":" + at(record, "status");
    }
    return steps;
  }
  std::vector<item::Item> step_records(const Created& made) {
    ListRequest request;
    request.subject = step_kind();
    request.fields = {{"job_id", at(made.record, "job_id")}};
    request.order = Order::oldest;
    auto page = list(services(), request);
    EXPECT_TRUE(page) << page.error().message;
    return page ? std::move(page->records) : std::vector<item::Item>();
  }
};

TEST_F(ReviewTest, A8_StepsHaveRecordsWithArtifacts) {
  const auto made = make_asset_job();
  const auto held = claim_one(asset());
  const auto stepped =
      try_step(asset(), held, "text-to-image", {},
               R"({"artifacts":{"L":[{"M":{"key":{"S":"a.png"}}}]},"metrics":{"M":{"ms":{"N":"5"}}}})");
  ASSERT_TRUE(stepped) << stepped.error().message;
  EXPECT_EQ(at(stepped->record, "current_step"), "refine");
  EXPECT_EQ(steps_of(made), "text-to-image:completed");
  EXPECT_EQ(at(step_records(made).at(0), "metrics.ms"), "5");
  EXPECT_TRUE(try_step(asset(), held, "text-to-image")->repeated);
  EXPECT_EQ(steps_of(made), "text-to-image:completed");
}

TEST_F(ReviewTest, A8_TheWholePipeline) {
  const auto made = make_asset_job();
  const auto held = claim_one(asset());
  for (const auto* const step : {"text-to-image", "refine", "3d", "retopo", "rig", "anim", "export"}) {
    const auto stepped = try_step(asset(), held, step);
    ASSERT_TRUE(stepped) << step << ": " << stepped.error().message;
    EXPECT_FALSE(stepped->repeated) << step;
    clock_.advance_ms(1);
  }
  EXPECT_EQ(field(asset(), made.id, "current_step"), "export");
  EXPECT_TRUE(try_step(asset(), held, "export")->repeated);
  EXPECT_EQ(step_records(made).size(), 7U);
  EXPECT_TRUE(try_finish(asset(), held));
}

TEST_F(ReviewTest, A7_PausedApprovedAndOn) {
  const auto made = make_asset_job();
  const auto held = claim_one(asset());
  const auto paused =
      try_pause(held, "text-to-image", R"({"artifacts":{"L":[{"M":{"key":{"S":"a.png"}}}]}})");
  ASSERT_TRUE(paused) << paused.error().message;
  EXPECT_EQ(at(paused->record, "status"), "paused");
  EXPECT_EQ(steps_of(made), "text-to-image:paused");
  EXPECT_EQ(messages("asset-creator-queue"), 0);
  EXPECT_TRUE(try_pause(held)->repeated);
  EXPECT_EQ(try_heartbeat(asset(), held).error().detail, "moves");

  // Steps that wait for a decision are listed.
  ListRequest waiting;
  waiting.subject = step_kind();
  waiting.fields = {{"status", "paused"}};
  EXPECT_EQ(list(services(), waiting)->records.size(), 1U);

  clock_.advance_ms(5000);
  const auto approved = try_approve(made.id);
  ASSERT_TRUE(approved) << approved.error().message;
  EXPECT_EQ(at(approved->record, "status"), "running");
  EXPECT_EQ(at(approved->record, "current_step"), "refine");
  EXPECT_EQ(steps_of(made), "text-to-image:completed");
  const auto step = step_records(made).at(0);
  EXPECT_EQ(at(step, "approved_by"), "anna");
  EXPECT_EQ(at(step, "decided_at"), "2027-01-15T08:00:05.000Z");
  EXPECT_EQ(try_approve(made.id).error().detail, "moves");

  const auto next = claim_one(asset());
  EXPECT_EQ(next.id, made.id);
  EXPECT_EQ(next.attempt, 1);
  EXPECT_EQ(at(next.record, "current_step"), "refine");
  EXPECT_TRUE(try_step(asset(), next, "refine"));
}

// Steps stand under their job, and who knows its id may put one of his own there.
TEST_F(ReviewTest, A10_AStepOfAnotherProjectIsNotTheJobs) {
  const auto made = make_asset_job();
  const auto held = claim_one(asset());
  ASSERT_TRUE(try_pause(held, "text-to-image"));
  clock_.advance_ms(1000);
  make(step_kind(), R"({"project_id":{"S":"prj_2"},"job_id":{"S":")" + at(made.record, "job_id") +
                        R"("},"step_name":{"S":"text-to-image"}})");
  ASSERT_TRUE(try_approve(made.id));
  EXPECT_EQ(steps_of(made), "text-to-image:completed text-to-image:pending");
}

TEST_F(ReviewTest, A7_Rejected) {
  const auto made = make_asset_job();
  ASSERT_TRUE(try_pause(claim_one(asset())));
  const auto rejected = try_reject(made.id);
  ASSERT_TRUE(rejected) << rejected.error().message;
  EXPECT_EQ(at(rejected->record, "status"), "failed");
  EXPECT_EQ(steps_of(made), "text-to-image:failed");
  EXPECT_EQ(at(step_records(made).at(0), "approved_by"), "");
  EXPECT_NE(at(step_records(made).at(0), "decided_at"), "");
  EXPECT_TRUE(claim_all(asset()).empty());
}

TEST_F(ReviewTest, OnlyTheStepAtTheCursorIsPaused) {
  make_asset_job();
  const auto held = claim_one(asset());
  EXPECT_EQ(try_pause(held, "rig").error().detail, "steps");
  make_job("k");
  const auto job_held = claim_one(job());
  const auto unsupported = answer_of<Changed>([&](auto done) {
    pause(services(), {target(job(), job_held.id), job_held.lease.token, "", {}}, std::move(done));
  });
  EXPECT_EQ(unsupported.error().kind, ErrorKind::unsupported);
}

TEST_F(ReviewTest, TwoJobsOfAProjectDoTheSameStep) {
  make_asset_job();
  make_asset_job();
  EXPECT_TRUE(try_step(asset(), claim_one(asset()), "text-to-image"));
  const auto second = try_step(asset(), claim_one(asset()), "text-to-image");
  EXPECT_TRUE(second) << second.error().message;
}

TEST_F(ReviewTest, TheLastStepIsNotPausedAtOnceItIsDone) {
  const auto made = make_asset_job();
  const auto held = claim_one(asset());
  for (const auto* const step : {"text-to-image", "refine", "3d", "retopo", "rig", "anim", "export"}) {
    ASSERT_TRUE(try_step(asset(), held, step)) << step;
  }
  EXPECT_EQ(try_pause(held, "export").error().detail, "steps");
  EXPECT_EQ(step_records(made).size(), 7U);
  EXPECT_TRUE(try_finish(asset(), held));
}

TEST_F(ReviewTest, AWorkerThatFailsEndsTheJob) {
  const auto made = make_asset_job();
  const auto failed = try_fail(asset(), claim_one(asset()));
  ASSERT_TRUE(failed) << failed.error().message;
  EXPECT_TRUE(failed->gave_up);
  EXPECT_EQ(at(failed->record, "status"), "failed");
  EXPECT_EQ(messages("asset-creator-queue"), 0);
}

}  // namespace
}  // namespace waybill::job
