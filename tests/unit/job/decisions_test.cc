// What becomes of failures, of messages that are claimed, of steps and of credits: document 002 to the
// letter.
#include <gtest/gtest.h>

#include "job/contracts.h"
#include "job/decide_claim.h"
#include "job/decide_failure.h"
#include "job/decide_step.h"
#include "job/envelope.h"
#include "job/fields.h"
#include "job/restart.h"

namespace waybill::job {
namespace {

TEST(JobFailure, O6_BackoffIsThirtySecondsToThirtyMinutes) {
  const Subject job = subject_of("orchestrator", "job");
  const auto& work = *job.record().work;
  EXPECT_EQ(backoff_s(work, 1), 30);
  EXPECT_EQ(backoff_s(work, 2), 120);
  EXPECT_EQ(backoff_s(work, 3), 600);
  EXPECT_EQ(backoff_s(work, 4), 1800);
  EXPECT_EQ(backoff_s(work, 40), 1800);
  EXPECT_EQ(backoff_s(*subject_of("photo-editor", "job").record().work, 1), 0);
}

TEST(JobFailure, O5_IsTriedAgainWhileAttemptsAreLeft) {
  const Subject job = subject_of("orchestrator", "job");
  const auto fourth = decide_failure(job.record(), {4, 5, 4, true});
  EXPECT_EQ(fourth.to, "failed");
  EXPECT_FALSE(fourth.gives_up);
  EXPECT_EQ(fourth.wait_s, 1800);
  const auto fifth = decide_failure(job.record(), {5, 5, 5, true});
  EXPECT_EQ(fifth.to, "dead");
  EXPECT_TRUE(fifth.gives_up);
  EXPECT_TRUE(fifth.dead_letter);
}

TEST(JobFailure, PoisonIsGivenUpAtOnce) {
  const Subject job = subject_of("orchestrator", "job");
  const auto poison = decide_failure(job.record(), {1, 5, 1, false});
  EXPECT_EQ(poison.to, "dead");
  EXPECT_TRUE(poison.dead_letter);
}

TEST(JobFailure, P5_WithoutAWayBackItFailsForGood) {
  const auto photo = decide_failure(subject_of("photo-editor", "job").record(), {1, 0, 1, true});
  EXPECT_EQ(photo.to, "FAILED");
  EXPECT_TRUE(photo.gives_up);
  EXPECT_TRUE(photo.dead_letter);
  const auto text = decide_failure(subject_of("text-analyzer", "file").record(), {1, 0, 1, true});
  EXPECT_EQ(text.to, "FAILED");
  EXPECT_TRUE(text.gives_up);
  EXPECT_FALSE(text.dead_letter);
}

TEST(JobFailure, WithoutACountOfItsOwnTheQueuesReceivesAreTheLimit) {
  const auto fourth = decide_failure(subject_of("image-service", "image").record(), {4, 0, 4, true});
  EXPECT_FALSE(fourth.gives_up);
  EXPECT_EQ(fourth.wait_s, 600);
  const auto fifth = decide_failure(subject_of("image-service", "image").record(), {5, 0, 5, true});
  EXPECT_EQ(fifth.to, "failed");
  EXPECT_TRUE(fifth.gives_up);
  EXPECT_TRUE(fifth.dead_letter);
}

Draft job(std::string_view status, int attempts, std::string_view more = "") {
  return Draft(item_of(R"({"job_id":{"S":"j"},"status":{"S":")" + std::string(status) +
                       R"("},"attempts":{"N":")" + std::to_string(attempts) +
                       R"("},"max_attempts":{"N":"3"},"credits_estimate":{"N":"7"})" + std::string(more) +
                       "}"));
}

TEST(JobClaim, TakesWhatWaits) {
  const Subject subject = subject_of("orchestrator", "job");
  auto draft = job("queued", 0);
  const auto decision = decide_claim(subject.record(), draft, 1);
  EXPECT_EQ(decision.kind, ClaimKind::take);
  EXPECT_EQ(decision.attempt, 1);
  EXPECT_EQ(at(draft.result(), "status"), "running");
  EXPECT_EQ(at(draft.result(), "credits_reserved"), "7");
}

TEST(JobClaim, O9_TakesWhatHasFailedBefore) {
  const Subject subject = subject_of("orchestrator", "job");
  auto draft = job("failed", 2, R"(,"next_attempt_at":{"S":"x"},"credits_reserved":{"N":"5"})");
  const auto decision = decide_claim(subject.record(), draft, 3);
  EXPECT_EQ(decision.kind, ClaimKind::take);
  EXPECT_EQ(decision.attempt, 3);
  EXPECT_EQ(at(draft.result(), "next_attempt_at"), "");
  EXPECT_EQ(at(draft.result(), "credits_reserved"), "5");
}

TEST(JobClaim, O8_DropsWhatIsAtAnEnd) {
  const Subject subject = subject_of("orchestrator", "job");
  for (const auto* const state : {"completed", "dead", "canceled", "pending"}) {
    auto draft = job(state, 0);
    EXPECT_EQ(decide_claim(subject.record(), draft, 1).kind, ClaimKind::drop) << state;
    EXPECT_FALSE(draft.changes_anything()) << state;
  }
}

TEST(JobClaim, TakesOverWhatAWorkerHasLost) {
  const Subject subject = subject_of("orchestrator", "job");
  auto draft = job("running", 0);
  const auto decision = decide_claim(subject.record(), draft, 2);
  EXPECT_EQ(decision.kind, ClaimKind::take);
  EXPECT_EQ(decision.attempt, 2);
  EXPECT_EQ(at(draft.result(), "attempts"), "1");
  EXPECT_EQ(at(draft.result(), "last_error_code"), "LEASE_LOST");
  EXPECT_EQ(at(draft.result(), "status"), "running");
}

TEST(JobClaim, GoesOnWithWhatAWorkerHasGivenBack) {
  const Subject subject = subject_of("orchestrator", "job");
  for (const int64_t receives : {1, 2}) {
    auto draft = job("running", 1);
    const auto decision = decide_claim(subject.record(), draft, receives, true);
    EXPECT_EQ(decision.kind, ClaimKind::take);
    EXPECT_EQ(decision.attempt, 2);
    EXPECT_EQ(at(draft.result(), "attempts"), "1");
    EXPECT_EQ(at(draft.result(), "last_error_code"), "");
  }
}

TEST(JobClaim, GivesUpWhereWorkersWereLostTooOften) {
  const Subject subject = subject_of("orchestrator", "job");
  auto draft = job("running", 2);
  EXPECT_EQ(decide_claim(subject.record(), draft, 2).kind, ClaimKind::give_up);
  EXPECT_EQ(at(draft.result(), "attempts"), "3");
}

TEST(JobClaim, P6_ASecondMessageOfARunningRecordIsDropped) {
  const Subject subject = subject_of("photo-editor", "job");
  Draft draft(item_of(R"({"jobId":{"S":"j"},"status":{"S":"EDITING"}})"));
  EXPECT_EQ(decide_claim(subject.record(), draft, 1).kind, ClaimKind::drop);
  Draft lost(item_of(R"({"jobId":{"S":"j"},"status":{"S":"EDITING"}})"));
  EXPECT_EQ(decide_claim(subject.record(), lost, 2).kind, ClaimKind::take);
  EXPECT_EQ(at(lost.result(), "status"), "EDITING");
  EXPECT_EQ(at(lost.result(), "error.retryCount"), "1");
}

TEST(JobClaim, A7_AfterAReviewTheWorkGoesOn) {
  const Subject subject = subject_of("asset-creator", "job");
  Draft draft(item_of(R"({"job_id":{"S":"j"},"status":{"S":"running"}})"));
  EXPECT_EQ(decide_claim(subject.record(), draft, 1).kind, ClaimKind::take);
  Draft paused(item_of(R"({"job_id":{"S":"j"},"status":{"S":"paused"}})"));
  EXPECT_EQ(decide_claim(subject.record(), paused, 1).kind, ClaimKind::drop);
}

TEST(JobClaim, WhatBelongsToFailureAloneGoes) {
  const Subject subject = subject_of("image-service", "image");
  Draft draft(item_of(R"({"id":{"S":"i"},"processingStatus":{"S":"failed"},"processingError":{"S":"x"}})"));
  EXPECT_EQ(decide_claim(subject.record(), draft, 2).kind, ClaimKind::take);
  EXPECT_EQ(at(draft.result(), "processingError"), "");
}

TEST(JobSteps, O9_TheCursorMovesByOne) {
  const Subject subject = subject_of("orchestrator", "job");
  const auto with = [](int cursor) {
    return Draft(
        item_of(R"({"step_cursor":{"N":")" + std::to_string(cursor) + R"("},"steps_total":{"N":"3"}})"));
  };
  auto draft = with(1);
  EXPECT_EQ(*advance(subject.record(), draft, "1"), StepKind::next);
  EXPECT_EQ(at(draft.result(), "step_cursor"), "2");
  auto earlier = with(1);
  EXPECT_EQ(*advance(subject.record(), earlier, "0"), StepKind::repeated);
  EXPECT_FALSE(earlier.changes_anything());
  auto later = with(1);
  EXPECT_EQ(advance(subject.record(), later, "2").error().kind, ErrorKind::condition_failed);
  auto behind = with(3);
  EXPECT_EQ(advance(subject.record(), behind, "3").error().kind, ErrorKind::invalid);
  EXPECT_EQ(advance(subject.record(), behind, "x").error().kind, ErrorKind::invalid);
  EXPECT_EQ(advance(subject.record(), behind, "-1").error().kind, ErrorKind::invalid);
}

TEST(JobSteps, A8_TheCursorMovesByName) {
  const Subject subject = subject_of("asset-creator", "job");
  const auto with = [](const std::string& step) {
    return Draft(item_of(R"({"current_step":{"S":")" + step + R"("}})"));
  };
  auto draft = with("refine");
  EXPECT_EQ(*advance(subject.record(), draft, "refine"), StepKind::next);
  EXPECT_EQ(at(draft.result(), "current_step"), "3d");
  auto earlier = with("refine");
  EXPECT_EQ(*advance(subject.record(), earlier, "text-to-image"), StepKind::repeated);
  auto later = with("refine");
  EXPECT_EQ(advance(subject.record(), later, "rig").error().detail, "steps");
  EXPECT_EQ(advance(subject.record(), later, "paint").error().kind, ErrorKind::invalid);
  auto last = with("export");
  EXPECT_EQ(*advance(subject.record(), last, "export"), StepKind::last);
}

TEST(JobCredits, O12_AreSpentAndNeverLost) {
  const Subject subject = subject_of("orchestrator", "job");
  auto draft = job("running", 0, R"(,"credits_reserved":{"N":"7"},"credits_spent":{"N":"1.5"})");
  ASSERT_TRUE(spend(subject.record(), draft, "credits", "0.25"));
  EXPECT_EQ(at(draft.result(), "credits_spent"), "1.75");
  EXPECT_FALSE(spend(subject.record(), draft, "coins", "1"));
  EXPECT_FALSE(spend(subject.record(), draft, "credits", "-1"));
  EXPECT_FALSE(spend(subject.record(), draft, "credits", "much"));
  end_at(subject.record(), draft, "completed");
  EXPECT_EQ(at(draft.result(), "credits_reserved"), "0");
  EXPECT_EQ(at(draft.result(), "credits_spent"), "1.75");
}

TEST(JobFields, TroubleIsCutToWhatTheFieldsTake) {
  const Subject subject = subject_of("orchestrator", "job");
  auto draft = job("failed", 0);
  std::string message;
  for (int i = 0; i < 1200; ++i) {
    message += "ü";
  }
  set_trouble(subject.record(), draft, {std::string(150, 'C'), message, "stack"});
  EXPECT_EQ(at(draft.result(), "last_error_code").size(), 100U);
  EXPECT_EQ(at(draft.result(), "last_error_message").size(), 2000U);
}

TEST(JobFields, P13_TroubleInsideOfAMap) {
  const Subject subject = subject_of("photo-editor", "job");
  Draft draft(item_of(R"({"status":{"S":"EDITING"}})"));
  set_trouble(subject.record(), draft, {"TIMEOUT", "too slow", "at line 1"});
  EXPECT_EQ(at(draft.result(), "error.code"), "TIMEOUT");
  EXPECT_EQ(at(draft.result(), "error.message"), "too slow");
  EXPECT_EQ(at(draft.result(), "error.stack"), "at line 1");
}

TEST(JobReplay, BeginsAnewWithoutItsEnd) {
  const Subject subject = subject_of("orchestrator", "job");
  EXPECT_TRUE(may_replay(subject.record(), "dead"));
  EXPECT_FALSE(may_replay(subject.record(), "completed"));
  auto draft = job("dead", 3,
                   R"(,"completed_at":{"S":"t"},"ttl_at":{"N":"1"},"credits_reserved":{"N":"0"},)"
                   R"("credits_spent":{"N":"2"},"last_error_code":{"S":"X"})");
  restart(subject, draft);
  const auto made = draft.result();
  EXPECT_EQ(at(made, "status"), "queued");
  EXPECT_EQ(at(made, "attempts"), "0");
  EXPECT_EQ(at(made, "completed_at"), "");
  EXPECT_EQ(at(made, "ttl_at"), "");
  EXPECT_EQ(at(made, "credits_reserved"), "7");
  EXPECT_EQ(at(made, "credits_spent"), "2");
}

TEST(JobEnvelope, TellsTheRecord) {
  const Subject asset = subject_of("asset-creator", "job");
  const auto key = key_of_message(asset, R"({"project_id":"p/1","job_id":"j","step":"refine"})");
  ASSERT_TRUE(key) << key.error().message;
  EXPECT_EQ(at(*key, "PK"), "PROJECT#p/1");
  EXPECT_EQ(at(*key, "SK"), "JOB#j");
  EXPECT_FALSE(key_of_message(asset, R"({"project_id":"p"})"));
  EXPECT_FALSE(key_of_message(asset, R"({"project_id":"p","job_id":null})"));
  EXPECT_FALSE(key_of_message(asset, "no envelope"));
  const Subject job = subject_of("orchestrator", "job");
  EXPECT_EQ(at(*key_of_message(job, R"({"v":1,"job_id":"j","attempt":1})"), "job_id"), "j");
}

TEST(JobEnvelope, DeadLettersAreMarkedOnce) {
  const Subject job = subject_of("orchestrator", "job");
  queue::Message message;
  message.body = "{}";
  EXPECT_FALSE(is_seen_to(message));
  const auto letter = dead_letter_of(job, message, 3);
  EXPECT_TRUE(is_seen_to(letter));
  EXPECT_EQ(letter.dead_letter_source, "lifebook-orchestrator-queue");
  EXPECT_EQ(letter.earlier_receives, 3U);
  EXPECT_EQ(dead_letter_of(job, letter, 0).attributes.size(), 1U);
}

}  // namespace
}  // namespace waybill::job
