// What workers do with records: document 002, and what the other contracts make of it.
#include <set>
#include <thread>

#include "job/actions.h"
#include "job/cancel.h"
#include "job/fixture.h"
#include "job/history.h"
#include "job/progress.h"

namespace waybill::job {
namespace {

constexpr int64_t second_ms = 1000;
const std::string jobs = "lifebook-orchestrator-queue";
const std::string dead_jobs = "lifebook-orchestrator-dlq";

class WorkTest : public JobTest {
 protected:
  Result<Changed> try_cancel(const Subject& of, const std::string& id) {
    return answer_of<Changed>(
        [&](auto done) { cancel(services(), target(of, id, "not needed"), std::move(done)); });
  }
  Result<Changed> try_progress(const Subject& of, const Claimed& held, const std::string& fields) {
    return answer_of<Changed>([&](auto done) {
      progress(services(), {target(of, held.id), held.lease.token, {item_of(fields), {}}}, std::move(done));
    });
  }
  // What is in the queue is there twice, as where a client sends messages of its own.
  void send_again(const std::string& queue) {
    store::Transaction transaction;
    const auto there = store_->queues()->peek({queue, "", "", 100});
    for (const auto& one : *there) {
      transaction.actions.push_back(send(queue, one.message));
    }
    std::promise<store::Outcome> done;
    store_->commit(std::move(transaction),
                   [&](store::Outcome outcome) { done.set_value(std::move(outcome)); });
    ASSERT_EQ(done.get_future().get().kind, store::OutcomeKind::committed);
  }
  // "create:>queued claim:queued>running …"
  std::string moves_of(const Subject& of, const std::string& id) {
    const auto page = history(services(), {of, id, Order::oldest, 100, ""});
    EXPECT_TRUE(page) << page.error().message;
    std::string moves;
    for (const auto& row : page->records) {
      const std::string from = at(row, "from");
      const std::string to = at(row, "to");
      if (from != to) {
        moves += (moves.empty() ? "" : " ") + at(row, "action") + ":" + from + ">" + to;
      }
    }
    return moves;
  }
};

TEST_F(WorkTest, AJobIsClaimedWorkedOnAndFinished) {
  const auto made = make_job("k", R"(,"steps_total":{"N":"2"},"credits_estimate":{"N":"5"})");
  const auto held = claim_one(job(), 60 * second_ms);
  EXPECT_EQ(held.id, made.id);
  EXPECT_EQ(held.attempt, 1);
  EXPECT_EQ(held.lease.until_ms, start_ms + 60 * second_ms);
  EXPECT_NE(held.lease.fence, 0U);
  EXPECT_EQ(at(held.record, "status"), "running");
  EXPECT_NE(at(held.record, "started_at"), "");
  EXPECT_NE(held.message.find("\"attempt\":1"), std::string::npos) << held.message;
  EXPECT_TRUE(claim_all(job()).empty());

  EXPECT_EQ(at(try_step(job(), held, "0", {{"credits", "1.5"}})->record, "step_cursor"), "1");
  EXPECT_EQ(at(try_step(job(), held, "1", {{"credits", "2"}})->record, "credits_spent"), "3.5");
  const auto done = try_finish(job(), held);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(at(done->record, "status"), "completed");
  EXPECT_EQ(at(done->record, "credits_reserved"), "0");
  EXPECT_EQ(at(done->record, "credits_spent"), "3.5");
  EXPECT_NE(at(done->record, "completed_at"), "");
  EXPECT_NE(at(done->record, "ttl_at"), "");
  EXPECT_EQ(messages(jobs), 0);
  EXPECT_TRUE(try_finish(job(), held)->repeated);
  EXPECT_EQ(moves_of(job(), made.id), "create:>queued claim:queued>running finish:running>completed");
}

TEST_F(WorkTest, O9_AStepIsNotedOnceAndInTurn) {
  make_job("k", R"(,"steps_total":{"N":"3"})");
  const auto held = claim_one(job());
  EXPECT_FALSE(try_step(job(), held, "0", {{"credits", "1"}})->repeated);
  const auto again = try_step(job(), held, "0", {{"credits", "1"}});
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->repeated);
  EXPECT_EQ(field(job(), held.id, "credits_spent"), "1");
  EXPECT_EQ(try_step(job(), held, "2").error().detail, "steps");
  EXPECT_EQ(try_step(job(), held, "1", {{"coins", "1"}}).error().kind, ErrorKind::invalid);
}

TEST_F(WorkTest, O9_AfterAWorkerIsKilledTheNextGoesOnWhereItWas) {
  make_job("k", R"(,"steps_total":{"N":"3"})");
  const auto killed = claim_one(job(), 10 * second_ms);
  ASSERT_TRUE(try_step(job(), killed, "0", {{"credits", "2"}}));
  clock_.advance_ms(11 * second_ms);
  const auto next = claim_one(job(), 10 * second_ms);
  EXPECT_EQ(next.id, killed.id);
  EXPECT_EQ(next.attempt, 2);
  EXPECT_GT(next.lease.fence, killed.lease.fence);
  EXPECT_EQ(at(next.record, "step_cursor"), "1");
  EXPECT_EQ(at(next.record, "attempts"), "1");
  EXPECT_EQ(at(next.record, "last_error_code"), "LEASE_LOST");
  // The first one comes back to life.
  EXPECT_EQ(try_step(job(), killed, "1").error().kind, ErrorKind::lease_lost);
  EXPECT_EQ(try_finish(job(), killed).error().kind, ErrorKind::lease_lost);
  EXPECT_EQ(try_fail(job(), killed).error().kind, ErrorKind::lease_lost);
  EXPECT_EQ(try_heartbeat(job(), killed).error().kind, ErrorKind::lease_lost);
  EXPECT_EQ(at(try_step(job(), next, "1", {{"credits", "1"}})->record, "credits_spent"), "3");
}

TEST_F(WorkTest, WhereALeaseIsOverNothingIsDoneByIt) {
  make_job("k");
  const auto held = claim_one(job(), 10 * second_ms);
  clock_.advance_ms(11 * second_ms);
  EXPECT_EQ(try_finish(job(), held).error().kind, ErrorKind::lease_lost);
  EXPECT_EQ(field(job(), held.id, "status"), "running");
}

TEST_F(WorkTest, HeartbeatsProlongALease) {
  make_job("k");
  const auto held = claim_one(job(), 10 * second_ms);
  clock_.advance_ms(8 * second_ms);
  const auto lease = try_heartbeat(job(), held, 10 * second_ms);
  ASSERT_TRUE(lease) << lease.error().message;
  EXPECT_EQ(lease->token, held.lease.token);
  EXPECT_EQ(lease->until_ms, start_ms + 18 * second_ms);
  clock_.advance_ms(8 * second_ms);
  EXPECT_TRUE(claim_all(job()).empty());
  EXPECT_TRUE(try_finish(job(), held));
  EXPECT_EQ(try_heartbeat(job(), held, 0).error().kind, ErrorKind::condition_failed);
}

TEST_F(WorkTest, ALeaseIsOfOneRecordAlone) {
  const auto first = make_job("a");
  const auto second = make_job("b");
  auto held = claim_all(job(), 2);
  ASSERT_EQ(held.size(), 2U);
  Claimed mixed = held[0];
  mixed.lease = held[1].lease;
  EXPECT_EQ(try_finish(job(), mixed).error().kind, ErrorKind::lease_lost);
  mixed.lease.token = "nonsense";
  EXPECT_EQ(try_finish(job(), mixed).error().kind, ErrorKind::lease_lost);
  EXPECT_EQ(field(job(), mixed.id, "status"), "running");
}

TEST_F(WorkTest, O5_FailsUntilItIsDead) {
  const auto made = make_job("k", R"(,"credits_estimate":{"N":"9"})");
  const std::vector<int64_t> waits = {30, 120, 600, 1800};
  for (std::size_t i = 0; i < waits.size(); ++i) {
    const auto held = claim_one(job());
    EXPECT_EQ(held.attempt, static_cast<int64_t>(i) + 1);
    const auto failed = try_fail(job(), held);
    ASSERT_TRUE(failed) << failed.error().message;
    EXPECT_FALSE(failed->gave_up);
    EXPECT_EQ(failed->retry_at_ms, clock_.wall_ms() + waits[i] * second_ms);
    EXPECT_EQ(at(failed->record, "status"), "failed");
    EXPECT_EQ(at(failed->record, "attempts"), std::to_string(i + 1));
    EXPECT_EQ(at(failed->record, "last_error_code"), "BROKEN");
    EXPECT_NE(at(failed->record, "next_attempt_at"), "");
    EXPECT_EQ(at(failed->record, "credits_reserved"), "9");
    clock_.advance_ms(waits[i] * second_ms - 1);
    EXPECT_TRUE(claim_all(job()).empty());
    clock_.advance_ms(1);
  }
  const auto dead = try_fail(job(), claim_one(job()));
  ASSERT_TRUE(dead) << dead.error().message;
  EXPECT_TRUE(dead->gave_up);
  EXPECT_EQ(at(dead->record, "status"), "dead");
  EXPECT_EQ(at(dead->record, "attempts"), "5");
  EXPECT_EQ(at(dead->record, "next_attempt_at"), "");
  EXPECT_EQ(at(dead->record, "credits_reserved"), "0");
  EXPECT_NE(at(dead->record, "completed_at"), "");
  EXPECT_NE(at(dead->record, "ttl_at"), "");
  EXPECT_EQ(messages(jobs), 0);
  EXPECT_EQ(messages(dead_jobs), 1);
  const auto page = history(services(), {job(), made.id, Order::newest, 10, ""});
  EXPECT_EQ(at(page->records.at(0), "event"), "workflow_run_completed");
  EXPECT_EQ(at(page->records.at(0), "data.success"), R"({"BOOL":false})");
}

TEST_F(WorkTest, PoisonIsDeadAtOnce) {
  make_job("k");
  const auto dead = try_fail(job(), claim_one(job()), false);
  ASSERT_TRUE(dead) << dead.error().message;
  EXPECT_TRUE(dead->gave_up);
  EXPECT_EQ(at(dead->record, "status"), "dead");
  EXPECT_EQ(messages(dead_jobs), 1);
}

TEST_F(WorkTest, WorkersThatAreLostUseUpAttempts) {
  const auto made = make_job("k", R"(,"max_attempts":{"N":"2"})");
  claim_one(job(), second_ms);
  clock_.advance_ms(2 * second_ms);
  EXPECT_EQ(claim_one(job(), second_ms).attempt, 2);
  clock_.advance_ms(2 * second_ms);
  EXPECT_TRUE(claim_all(job()).empty());
  EXPECT_EQ(field(job(), made.id, "status"), "dead");
  EXPECT_EQ(field(job(), made.id, "attempts"), "2");
  EXPECT_EQ(messages(jobs), 0);
  EXPECT_EQ(messages(dead_jobs), 1);
}

TEST_F(WorkTest, O13_ACanceledJobIsNobodysWork) {
  const auto waiting = make_job("a");
  ASSERT_TRUE(try_cancel(job(), waiting.id));
  EXPECT_TRUE(claim_all(job()).empty());
  EXPECT_EQ(messages(jobs), 0);

  make_job("b", R"(,"credits_estimate":{"N":"3"})");
  const auto held = claim_one(job());
  const auto canceled = try_cancel(job(), held.id);
  ASSERT_TRUE(canceled) << canceled.error().message;
  EXPECT_EQ(at(canceled->record, "credits_reserved"), "0");
  EXPECT_EQ(try_heartbeat(job(), held).error().detail, "ends");
  EXPECT_EQ(try_step(job(), held, "0").error().detail, "ends");
  EXPECT_EQ(try_finish(job(), held).error().detail, "ends");
  EXPECT_TRUE(try_cancel(job(), held.id)->repeated);
  clock_.advance_ms(3600 * second_ms);
  EXPECT_TRUE(claim_all(job()).empty());
  EXPECT_EQ(messages(jobs), 0);

  make_job("c");
  const auto finished = claim_one(job());
  ASSERT_TRUE(try_finish(job(), finished));
  EXPECT_EQ(try_cancel(job(), finished.id).error().detail, "ends");
}

TEST_F(WorkTest, P6_OfManyWorkersEachJobHasOne) {
  for (int i = 0; i < 40; ++i) {
    make_job("k" + std::to_string(i));
  }
  std::vector<std::thread> threads;
  std::mutex mutex;
  std::multiset<std::string> ids;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (auto claimed = claim_all(job(), 3); !claimed.empty(); claimed = claim_all(job(), 3)) {
        for (const auto& one : claimed) {
          EXPECT_TRUE(try_finish(job(), one));
          const std::lock_guard lock(mutex);
          ids.insert(one.id);
        }
      }
    });
  }
  for (auto& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(ids.size(), 40U);
  EXPECT_EQ(std::set(ids.begin(), ids.end()).size(), 40U);
}

TEST_F(WorkTest, P6_ASecondMessageGivesNobodyASecondLease) {
  const auto made = make_job("k");
  send_again(jobs);
  const auto held = claim_one(job(), 10 * second_ms);
  ASSERT_TRUE(try_fail(job(), held));
  EXPECT_TRUE(claim_all(job()).empty()) << "the second message must not get around the backoff";
  EXPECT_EQ(messages(jobs), 1);
  clock_.advance_ms(30 * second_ms);
  const auto second = claim_one(job(), 10 * second_ms);
  EXPECT_EQ(second.attempt, 2);
  EXPECT_TRUE(try_finish(job(), second));
  EXPECT_EQ(field(job(), made.id, "attempts"), "1");

  const auto asset_job = subject("asset-creator", "job");
  make(asset_job, R"({"project_id":{"S":"p"},"asset_type":{"S":"x"}})");
  send_again("asset-creator-queue");
  const auto asset = claim_one(asset_job, 10 * second_ms);
  EXPECT_TRUE(claim_all(asset_job).empty());
  clock_.advance_ms(11 * second_ms);
  EXPECT_GT(claim_one(asset_job).lease.fence, asset.lease.fence);
}

TEST_F(WorkTest, AClaimWaitsForWorkAndCanBeCalledOff) {
  std::promise<Result<std::vector<Claimed>>> done;
  auto claimed = done.get_future();
  const auto wait = claim(services(), {job(), author(), 1, 20'000, {}},
                          [&](Result<std::vector<Claimed>> given) { done.set_value(std::move(given)); });
  ASSERT_NE(wait, nullptr);
  const auto made = make_job("k");
  EXPECT_EQ(claimed.get()->at(0).id, made.id);

  std::promise<Result<std::vector<Claimed>>> second_done;
  auto second = second_done.get_future();
  const auto second_wait =
      claim(services(), {job(), author(), 1, 20'000, {}},
            [&](Result<std::vector<Claimed>> given) { second_done.set_value(std::move(given)); });
  second_wait->cancel();
  EXPECT_TRUE(second.get()->empty());
  make_job("l");
  EXPECT_EQ(claim_all(job()).size(), 1U);
}

TEST_F(WorkTest, AClaimWaitsOnBehindMessagesThatNeedNoWork) {
  const auto canceled = make_job("a");
  ASSERT_TRUE(try_cancel(job(), canceled.id));
  std::promise<Result<std::vector<Claimed>>> done;
  auto claimed = done.get_future();
  claim(services(), {job(), author(), 1, 20'000, {}},
        [&](Result<std::vector<Claimed>> given) { done.set_value(std::move(given)); });
  const auto made = make_job("b");
  EXPECT_EQ(claimed.get()->at(0).id, made.id);
}

TEST_F(WorkTest, WhatIsAskedOfAClaimHasBounds) {
  const auto refused = [&](ClaimRequest request) {
    return answer_of<std::vector<Claimed>>(
               [&](auto done) { claim(services(), std::move(request), std::move(done)); })
        .error()
        .kind;
  };
  EXPECT_EQ(refused({job(), author(), 0, 0, {}}), ErrorKind::invalid);
  EXPECT_EQ(refused({job(), author(), 11, 0, {}}), ErrorKind::invalid);
  EXPECT_EQ(refused({job(), author(), 1, 21'000, {}}), ErrorKind::invalid);
  EXPECT_EQ(refused({job(), author(), 1, 0, 0}), ErrorKind::invalid);
  EXPECT_EQ(refused({subject("asset-creator", "project"), author(), 1, 0, {}}), ErrorKind::unsupported);
}

TEST_F(WorkTest, P5_APhotoThatBreaksInProcessingFailsThroughEditing) {
  const auto made = make_photo();
  const auto held = claim_one(photo());
  const auto failed = try_fail(photo(), held);
  ASSERT_TRUE(failed) << failed.error().message;
  EXPECT_TRUE(failed->gave_up);
  EXPECT_EQ(at(failed->record, "status"), "FAILED");
  EXPECT_EQ(at(failed->record, "error.code"), "BROKEN");
  EXPECT_EQ(at(failed->record, "error.message"), "it broke");
  EXPECT_EQ(at(failed->record, "error.stack"), "at 1");
  EXPECT_EQ(at(failed->record, "error.retryCount"), "1");
  EXPECT_EQ(moves_of(photo(), made.id),
            "create:>QUEUED claim:QUEUED>PROCESSING fail:PROCESSING>EDITING fail:EDITING>FAILED");
  EXPECT_EQ(messages("photoeditor-dev-jobs-queue"), 0);
  EXPECT_EQ(messages("photoeditor-dev-jobs-dlq"), 1);
}

TEST_F(WorkTest, P5_APhotoGoesThroughItsStates) {
  make_photo();
  const auto held = claim_one(photo());
  EXPECT_EQ(try_finish(photo(), held).error().detail, "moves");
  const auto editing = try_progress(photo(), held, R"({"status":{"S":"EDITING"},"s3FinalKey":{"S":"f"}})");
  ASSERT_TRUE(editing) << editing.error().message;
  EXPECT_EQ(at(editing->record, "status"), "EDITING");
  EXPECT_EQ(try_progress(photo(), held, R"({"status":{"S":"QUEUED"}})").error().detail, "moves");
  const auto done = try_finish(photo(), held);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(at(done->record, "s3FinalKey"), "f");
}

TEST_F(WorkTest, I11_AnImageIsProcessedWhenItHasArrived) {
  const auto image = subject("image-service", "image");
  const auto made =
      make(image, R"({"userId":{"S":"u"},"originalFilename":{"S":"a"},"mimeType":{"S":"image/png"},)"
                  R"("fileSize":{"N":"1"}})");
  EXPECT_EQ(at(made.record, "processingStatus"), "pending");
  EXPECT_TRUE(claim_all(image).empty());
  ASSERT_TRUE(
      answer_of<Changed>([&](auto done) { enqueue(services(), target(image, made.id), std::move(done)); }));
  const auto failed = try_fail(image, claim_one(image));
  ASSERT_TRUE(failed) << failed.error().message;
  EXPECT_FALSE(failed->gave_up);
  EXPECT_EQ(at(failed->record, "processingStatus"), "failed");
  EXPECT_EQ(at(failed->record, "processingError"), "it broke");
  EXPECT_EQ(failed->retry_at_ms, start_ms + 30 * second_ms);
  clock_.advance_ms(30 * second_ms);
  const auto again = claim_one(image, second_ms);
  EXPECT_EQ(again.attempt, 2);
  EXPECT_EQ(at(again.record, "processingError"), "");
  clock_.advance_ms(2 * second_ms);
  const auto third = claim_one(image);
  EXPECT_EQ(at(third.record, "processingStatus"), "processing");
  const auto done = try_finish(image, third, R"({"width":{"N":"30"},"height":{"N":"20"}})");
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(at(done->record, "aspectRatio"), "1.5");
}

TEST_F(WorkTest, AnImageThatFailsTooOftenIsLeftToPeople) {
  const auto image = subject("image-service", "image");
  const auto made =
      make(image, R"({"userId":{"S":"u"},"originalFilename":{"S":"a"},"mimeType":{"S":"image/png"},)"
                  R"("fileSize":{"N":"1"}})");
  ASSERT_TRUE(
      answer_of<Changed>([&](auto done) { enqueue(services(), target(image, made.id), std::move(done)); }));
  for (int i = 1; i <= 5; ++i) {
    const auto failed = try_fail(image, claim_one(image));
    ASSERT_TRUE(failed) << failed.error().message;
    EXPECT_EQ(failed->gave_up, i == 5);
    clock_.advance_ms(600 * second_ms);
  }
  EXPECT_EQ(field(image, made.id, "processingStatus"), "failed");
  EXPECT_EQ(messages("images-dev-queue"), 0);
  EXPECT_EQ(messages("images-dev-dlq"), 1);
}

TEST_F(WorkTest, T5_AFileThatFailsSaysWhyAndIsDoneWith) {
  const auto file = subject("text-analyzer", "file");
  const auto made = make(file, R"({"ownerId":{"S":"o"},"s3Bucket":{"S":"b"},"s3Key":{"S":"k"},)"
                               R"("originalFileName":{"S":"f"}})");
  ASSERT_TRUE(
      answer_of<Changed>([&](auto done) { enqueue(services(), target(file, made.id), std::move(done)); }));
  const auto failed = try_fail(file, claim_one(file));
  ASSERT_TRUE(failed) << failed.error().message;
  EXPECT_EQ(at(failed->record, "status"), "FAILED");
  EXPECT_EQ(at(failed->record, "errorMessage"), "it broke");
  EXPECT_EQ(messages("text-analyzer-queue"), 0);
  EXPECT_EQ(messages("text-analyzer-dlq"), 0);
}

}  // namespace
}  // namespace waybill::job
