#include "redrive/move_task.h"

#include <gtest/gtest.h>

namespace waybill::redrive {
namespace {

TEST(MoveTaskNote, KeepsTheWholeRecord) {
  for (const MoveStatus status : {MoveStatus::running, MoveStatus::completed, MoveStatus::cancelling,
                                  MoveStatus::cancelled, MoveStatus::failed}) {
    MoveTask task;
    task.handle = "01731742800123-1a2b3c4d";
    task.status = status;
    task.source = "dead";
    task.destination = "alive";
    task.rate_per_second = 50;
    task.moved = 12;
    task.to_move = 40;
    task.failure_reason = "a \"reason\"";
    task.started_ms = 1'731'742'800'123;
    task.ended_ms = 1'731'742'801'000;
    task.started_by = "AKIDEXAMPLE";
    const auto read = read_move_task(note_of(task));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->handle, task.handle);
    EXPECT_EQ(read->status, status);
    EXPECT_EQ(read->source, "dead");
    EXPECT_EQ(read->destination, "alive");
    EXPECT_EQ(read->rate_per_second, 50);
    EXPECT_EQ(read->moved, 12);
    EXPECT_EQ(read->to_move, 40);
    EXPECT_EQ(read->failure_reason, task.failure_reason);
    EXPECT_EQ(read->started_ms, task.started_ms);
    EXPECT_EQ(read->ended_ms, task.ended_ms);
    EXPECT_EQ(read->started_by, "AKIDEXAMPLE");
  }
}

TEST(MoveTaskNote, KeepsWhatIsAbsentAbsent) {
  MoveTask task;
  task.handle = "1";
  const auto read = read_move_task(note_of(task));
  ASSERT_TRUE(read);
  EXPECT_FALSE(read->rate_per_second);
  EXPECT_FALSE(read->to_move);
}

TEST(MoveTaskNote, RefusesWhatIsNone) {
  for (const char* text : {"", "[]", "{}", R"({"status":"DOZING"})"}) {
    const auto read = read_move_task({"move/1", text, {}});
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().kind, ErrorKind::corruption);
  }
}

}  // namespace
}  // namespace waybill::redrive
