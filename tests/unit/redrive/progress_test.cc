// How many messages a task moves at a time, and when it is over.
#include "redrive/progress.h"

#include <gtest/gtest.h>

namespace waybill::redrive {
namespace {

MoveTask task_of(int64_t to_move, int64_t moved) {
  MoveTask task;
  task.to_move = to_move;
  task.moved = moved;
  return task;
}

Result<store::Moved> moved(std::size_t count, int64_t left) {
  return store::Moved{count, left};
}

TEST(Pace, IsNeverFasterThanTheRate) {
  for (int64_t rate = 1; rate <= 500; ++rate) {
    const Pace pace = pace_of(rate);
    ASSERT_GE(pace.batch, 1u);
    ASSERT_LE(static_cast<int64_t>(pace.batch) * 1000, rate * pace.interval_ms) << rate;
    // Nor much slower.
    ASSERT_GE(static_cast<int64_t>(pace.batch) * 1000, rate * (pace.interval_ms - 1)) << rate;
  }
  EXPECT_EQ(pace_of(std::nullopt).interval_ms, 0);
}

TEST(NextBatch, TakesNoMoreThanWasThereAtTheStart) {
  EXPECT_EQ(next_batch(task_of(1000, 0)), 100u);
  EXPECT_EQ(next_batch(task_of(1000, 993)), 7u);
  EXPECT_EQ(next_batch(task_of(1000, 1000)), 0u);
  EXPECT_EQ(next_batch(task_of(0, 0)), 0u);
}

TEST(AfterMove, GoesOnWhileThereIsMore) {
  const MoveTask task = after_move(task_of(300, 100), moved(100, 100), 5);
  EXPECT_EQ(task.status, MoveStatus::running);
  EXPECT_EQ(task.moved, 200);
  EXPECT_EQ(task.ended_ms, 0);
}

TEST(AfterMove, EndsWhereAllThatWasThereIsMoved) {
  const MoveTask task = after_move(task_of(300, 200), moved(100, 40), 5);
  EXPECT_EQ(task.status, MoveStatus::completed);
  EXPECT_EQ(task.moved, 300);
  EXPECT_EQ(task.ended_ms, 5);
}

TEST(AfterMove, EndsWhereOthersTookTheRest) {
  EXPECT_EQ(after_move(task_of(300, 100), moved(20, 0), 5).status, MoveStatus::completed);
  EXPECT_EQ(after_move(task_of(300, 100), moved(0, 0), 5).status, MoveStatus::completed);
}

TEST(AfterMove, WaitsWhereTheRestCannotBeMovedYet) {
  EXPECT_EQ(after_move(task_of(300, 100), moved(0, 200), 5).status, MoveStatus::running);
  EXPECT_GT(pause_ms(moved(0, 200)), 0);
  EXPECT_EQ(pause_ms(moved(1, 200)), 0);
  EXPECT_GT(pause_ms(Error{ErrorKind::unavailable, "later", {}}), pause_ms(moved(0, 200)));
}

TEST(AfterMove, FailsWhereAQueueIsGone) {
  const MoveTask task = after_move(task_of(3, 1), Error{ErrorKind::queue_not_found, "gone", {}}, 5);
  EXPECT_EQ(task.status, MoveStatus::failed);
  EXPECT_EQ(task.failure_reason, "gone");
  EXPECT_EQ(task.moved, 1);
  EXPECT_EQ(task.ended_ms, 5);
}

TEST(AfterMove, TriesAgainWhereTheStoreIsUnavailable) {
  const MoveTask task = after_move(task_of(3, 1), Error{ErrorKind::unavailable, "later", {}}, 5);
  EXPECT_EQ(task.status, MoveStatus::running);
  EXPECT_EQ(task.failure_reason, "");
}

}  // namespace
}  // namespace waybill::redrive
