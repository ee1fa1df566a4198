// What was given up can be put back to work, and nothing is lost on the way.
#include "job/replay.h"

#include "job/cancel.h"
#include "job/dead_letters.h"
#include "job/envelope.h"
#include "job/fixture.h"
#include "job/keeper.h"

namespace waybill::job {
namespace {

constexpr int64_t second_ms = 1000;
const std::string jobs = "lifebook-orchestrator-queue";
const std::string dead_jobs = "lifebook-orchestrator-dlq";

class ReplayTest : public JobTest {
 protected:
  Result<Changed> try_replay(const Subject& of, const std::string& id) {
    return answer_of<Changed>(
        [&](auto done) { replay(services(), target(of, id, "it is mended"), std::move(done)); });
  }
  Result<Replayed> replay_all(const Subject& of, uint32_t count = 100) {
    return answer_of<Replayed>(
        [&](auto done) { replay_many(services(), {of, author(), count}, std::move(done)); });
  }
  std::string make_dead(const std::string& key) {
    make_job(key);
    const auto held = claim_one(job());
    EXPECT_TRUE(try_fail(job(), held, false));
    return held.id;
  }
  std::vector<store::Peeked> letters(const std::string& queue) {
    return *store_->queues()->peek({queue, "", "", 100});
  }
  // A keeper that looks when it is told to.
  std::unique_ptr<Keeper> keeper() {
    return std::make_unique<Keeper>(services(), [this] { return contracts_->all(); }, 3'600'000);
  }
  // Worker after worker takes the job and is never heard of again, until the queue gives it up.
  void lose_workers(int count) {
    for (int i = 0; i < count; ++i) {
      EXPECT_EQ(claim_all(job(), 1, second_ms).size(), 1U);
      clock_.advance_ms(2 * second_ms);
    }
    EXPECT_TRUE(claim_all(job(), 1, second_ms).empty());
  }
};

TEST_F(ReplayTest, P5_OneByItsId) {
  const auto made = make_photo();
  ASSERT_TRUE(try_fail(photo(), claim_one(photo())));
  EXPECT_EQ(try_replay(photo(), "none").error().kind, ErrorKind::not_found);
  const auto replayed = try_replay(photo(), made.id);
  ASSERT_TRUE(replayed) << replayed.error().message;
  EXPECT_EQ(at(replayed->record, "status"), "QUEUED");
  EXPECT_EQ(messages("photoeditor-dev-jobs-dlq"), 0);
  EXPECT_EQ(messages("photoeditor-dev-jobs-queue"), 1);
  EXPECT_EQ(try_replay(photo(), made.id).error().detail, "moves");
  EXPECT_EQ(claim_one(photo()).id, made.id);
}

TEST_F(ReplayTest, AReplayedJobHasAllItsAttemptsAgain) {
  const auto id = make_dead("k");
  ASSERT_TRUE(try_replay(job(), id));
  EXPECT_EQ(field(job(), id, "status"), "queued");
  EXPECT_EQ(field(job(), id, "attempts"), "0");
  EXPECT_EQ(field(job(), id, "ttl_at"), "");
  EXPECT_EQ(field(job(), id, "completed_at"), "");
  const auto failed = try_fail(job(), claim_one(job()));
  ASSERT_TRUE(failed);
  EXPECT_FALSE(failed->gave_up);
  EXPECT_EQ(failed->retry_at_ms, start_ms + 30 * second_ms);
}

TEST_F(ReplayTest, ALetterThatSomebodyHoldsIsLeftToHim) {
  const auto id = make_dead("k");
  std::promise<Result<std::vector<store::Delivery>>> done;
  auto held = done.get_future();
  store_->queues()->receive(
      {dead_jobs, 1, 60 * second_ms, 0},
      [&](Result<std::vector<store::Delivery>> given) { done.set_value(std::move(given)); });
  ASSERT_EQ(held.get()->size(), 1U);
  ASSERT_TRUE(try_replay(job(), id));
  EXPECT_EQ(messages(dead_jobs), 1);
  // Once it is let go it stands for nothing any more.
  clock_.advance_ms(61 * second_ms);
  const auto replayed = replay_all(job());
  ASSERT_TRUE(replayed) << replayed.error().message;
  EXPECT_EQ(replayed->count, 0U);
  EXPECT_EQ(replayed->dropped, 1U);
  EXPECT_EQ(field(job(), id, "status"), "queued");
  EXPECT_EQ(messages(jobs), 1);
}

TEST_F(ReplayTest, ManyOutOfTheDeadLetters) {
  std::vector<std::string> ids;
  for (int i = 0; i < 25; ++i) {
    ids.push_back(make_dead("k" + std::to_string(i)));
  }
  const auto first = replay_all(job(), 12);
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(first->count, 12U);
  EXPECT_EQ(messages(dead_jobs), 13);
  const auto rest = replay_all(job());
  ASSERT_TRUE(rest) << rest.error().message;
  EXPECT_EQ(rest->count, 13U);
  EXPECT_EQ(messages(dead_jobs), 0);
  EXPECT_EQ(messages(jobs), 25);
  for (const auto& id : ids) {
    EXPECT_EQ(field(job(), id, "status"), "queued");
  }
  EXPECT_EQ(replay_all(job(), 0).error().kind, ErrorKind::invalid);
  EXPECT_EQ(replay_all(subject("text-analyzer", "file")).error().kind, ErrorKind::unsupported);
}

TEST_F(ReplayTest, TheKeeperGivesUpWhatTheQueueHasGivenUp) {
  const auto made = make_job("k", R"(,"max_attempts":{"N":"9"},"credits_estimate":{"N":"3"})");
  const auto other = make_job("other");
  ASSERT_TRUE(
      answer_of<Changed>([&](auto done) { cancel(services(), target(job(), other.id), std::move(done)); }));
  lose_workers(5);
  EXPECT_EQ(field(job(), made.id, "status"), "running");
  ASSERT_EQ(letters(dead_jobs).size(), 1U);
  EXPECT_FALSE(is_seen_to(letters(dead_jobs)[0].message));

  const auto looks = keeper();
  looks->look();
  EXPECT_EQ(field(job(), made.id, "status"), "dead");
  EXPECT_EQ(field(job(), made.id, "attempts"), "5");
  EXPECT_EQ(field(job(), made.id, "last_error_code"), "LEASE_LOST");
  EXPECT_EQ(field(job(), made.id, "credits_reserved"), "0");
  ASSERT_EQ(letters(dead_jobs).size(), 1U);
  EXPECT_TRUE(is_seen_to(letters(dead_jobs)[0].message));
  EXPECT_EQ(letters(dead_jobs)[0].message.earlier_receives, 5U);
  EXPECT_EQ(looks->look(), 0U);

  // A replay is not undone by a keeper that sees the letters for the first time.
  ASSERT_TRUE(try_replay(job(), made.id));
  EXPECT_EQ(messages(dead_jobs), 0);
  EXPECT_EQ(keeper()->look(), 0U);
  EXPECT_EQ(field(job(), made.id, "status"), "queued");
}

TEST_F(ReplayTest, TheKeeperComesBackForALetterThatSomebodyHolds) {
  const auto made = make_job("k", R"(,"max_attempts":{"N":"9"})");
  lose_workers(5);
  std::promise<Result<std::vector<store::Delivery>>> done;
  auto held = done.get_future();
  store_->queues()->receive(
      {dead_jobs, 1, 60 * second_ms, 0},
      [&](Result<std::vector<store::Delivery>> given) { done.set_value(std::move(given)); });
  ASSERT_EQ(held.get()->size(), 1U);
  const auto looks = keeper();
  looks->look();
  EXPECT_EQ(field(job(), made.id, "status"), "running");
  clock_.advance_ms(61 * second_ms);
  looks->look();
  EXPECT_EQ(field(job(), made.id, "status"), "dead");
}

TEST_F(ReplayTest, TheKeeperGoesThroughTheStatesBetween) {
  const auto made = make_photo();
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(claim_all(photo(), 1, second_ms).size(), 1U);
    clock_.advance_ms(2 * second_ms);
  }
  EXPECT_TRUE(claim_all(photo()).empty());
  EXPECT_EQ(field(photo(), made.id, "status"), "PROCESSING");
  keeper()->look();
  EXPECT_EQ(field(photo(), made.id, "status"), "FAILED");
  EXPECT_EQ(field(photo(), made.id, "error.code"), "LEASE_LOST");
  EXPECT_EQ(field(photo(), made.id, "error.retryCount"), "3");
  EXPECT_EQ(messages("photoeditor-dev-jobs-dlq"), 1);
}

TEST_F(ReplayTest, TheKeeperLooksByItself) {
  const auto made = make_job("k", R"(,"max_attempts":{"N":"9"})");
  const Keeper looks(services(), [this] { return contracts_->all(); }, 10);
  lose_workers(5);
  for (int i = 0; i < 500 && field(job(), made.id, "status") != "dead"; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(field(job(), made.id, "status"), "dead");
}

}  // namespace
}  // namespace waybill::job
