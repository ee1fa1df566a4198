// Tasks from their start to their end, over queues that only count.
#include "redrive/move_tasks.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "store/fake_store.h"

namespace waybill::redrive {
namespace {

constexpr int64_t day_ms = int64_t{24} * 60 * 60 * 1000;

// Lets moves pass one by one, or all of them.
class Gate {
 public:
  void pass() {
    std::unique_lock lock(mutex_);
    ++waiting_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return open_ || tickets_ > 0; });
    --tickets_;
    --waiting_;
  }
  void let_one_pass() {
    const std::lock_guard lock(mutex_);
    tickets_ = 1;
    changed_.notify_all();
  }
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  void wait_for_guest() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return waiting_ > 0 && tickets_ <= 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
  int tickets_ = 0;
  int waiting_ = 0;
};

class MoveTasksTest : public testing::Test {
 protected:
  void SetUp() override {
    queues().set_visible("dead", 1'000);
    queues().set_visible("alive", 0);
    open();
  }
  void open() {
    tasks_.reset();
    auto opened = MoveTasks::open(store_, {&clock_, &entropy_});
    ASSERT_TRUE(opened);
    tasks_ = *std::move(opened);
  }
  store::FakeQueues& queues() { return store_.fake_queues(); }

  Result<std::string> start(const std::string& source = "dead", const std::string& destination = "alive",
                            std::optional<int64_t> rate = std::nullopt) {
    std::optional<Result<std::string>> started;
    tasks_->start({source, destination, rate, "AKIDEXAMPLE"},
                  [&started](Result<std::string> handle) { started = std::move(handle); });
    return *started;
  }
  // The newest task of a source once it is over.
  MoveTask wait_for_end(const std::string& source = "dead") {
    for (int i = 0; i < 5'000; ++i) {
      const auto listed = tasks_->list(source, 1);
      if (!listed.empty() && !listed.front().is_under_way()) {
        return listed.front();
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return {};
  }
  // Answers with how many were moved; waits for the answer.
  Result<int64_t> cancel(const std::string& handle) {
    auto answer = std::make_shared<std::promise<Result<int64_t>>>();
    tasks_->cancel(handle, [answer](Result<int64_t> moved) { answer->set_value(std::move(moved)); });
    return answer->get_future().get();
  }

  SystemClock clock_;
  SystemEntropy entropy_;
  store::FakeStore store_;
  std::unique_ptr<MoveTasks> tasks_;
};

TEST_F(MoveTasksTest, MovesAllThatIsThere) {
  const auto handle = start();
  ASSERT_TRUE(handle);
  const MoveTask task = wait_for_end();
  EXPECT_EQ(task.handle, *handle);
  EXPECT_EQ(task.status, MoveStatus::completed);
  EXPECT_EQ(task.moved, 1'000);
  EXPECT_EQ(task.to_move, 1'000);
  EXPECT_EQ(task.started_by, "AKIDEXAMPLE");
  EXPECT_GE(task.ended_ms, task.started_ms);
  EXPECT_EQ(queues().visible("dead"), 0);
  EXPECT_EQ(queues().visible("alive"), 1'000);
  EXPECT_EQ(queues().moves(), 10u);
}

TEST_F(MoveTasksTest, AnEmptyQueueIsDoneAtOnce) {
  queues().set_visible("dead", 0);
  ASSERT_TRUE(start());
  EXPECT_EQ(wait_for_end().status, MoveStatus::completed);
  EXPECT_EQ(queues().moves(), 0u);
}

TEST_F(MoveTasksTest, KeepsToItsRate) {
  queues().set_visible("dead", 60);
  const int64_t begin_ms = clock_.steady_ms();
  ASSERT_TRUE(start("dead", "alive", 100));
  EXPECT_EQ(wait_for_end().moved, 60);
  EXPECT_GE(clock_.steady_ms() - begin_ms, 500);  // six batches of ten, 100 ms apart
}

TEST_F(MoveTasksTest, RefusesASecondTaskOfTheSameSource) {
  Gate gate;
  queues().before_move = [&gate] { gate.pass(); };
  ASSERT_TRUE(start());
  const auto second = start();
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, ErrorKind::unsupported);
  gate.open();
  EXPECT_EQ(wait_for_end().status, MoveStatus::completed);
  EXPECT_TRUE(start());
  wait_for_end();
}

TEST_F(MoveTasksTest, RefusesMoreThanAHundredAtOnce) {
  Gate gate;
  queues().before_move = [&gate] { gate.pass(); };
  for (int i = 0; i < 100; ++i) {
    queues().set_visible("dead" + std::to_string(i), 1);
    ASSERT_TRUE(start("dead" + std::to_string(i)));
  }
  const auto refused = start();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::unsupported);
  gate.open();
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(wait_for_end("dead" + std::to_string(i)).status, MoveStatus::completed);
  }
  EXPECT_EQ(queues().visible("alive"), 100);
}

TEST_F(MoveTasksTest, RefusesASourceThatIsNotThere) {
  const auto refused = start("nowhere");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::queue_not_found);
  EXPECT_EQ(start("nowhere").error().kind, ErrorKind::queue_not_found);
}

TEST_F(MoveTasksTest, FailsWhereTheDestinationIsGone) {
  Gate gate;
  queues().before_move = [&gate] { gate.pass(); };
  ASSERT_TRUE(start());
  gate.wait_for_guest();
  queues().drop("alive");
  gate.open();
  const MoveTask task = wait_for_end();
  EXPECT_EQ(task.status, MoveStatus::failed);
  EXPECT_EQ(task.failure_reason, "The specified queue does not exist.");
  EXPECT_EQ(task.moved, 0);
}

TEST_F(MoveTasksTest, IsCancelledBetweenTwoBatches) {
  Gate gate;
  queues().before_move = [&gate] { gate.pass(); };
  const auto handle = start();
  gate.wait_for_guest();
  gate.let_one_pass();
  gate.wait_for_guest();
  std::optional<Result<int64_t>> moved;
  std::thread canceller([&] { moved = cancel(*handle); });
  while (tasks_->list("dead", 1).front().status != MoveStatus::cancelling) {
    std::this_thread::yield();
  }
  gate.open();
  canceller.join();
  ASSERT_TRUE(*moved);
  EXPECT_EQ(**moved, 200);
  EXPECT_EQ(wait_for_end().status, MoveStatus::cancelled);
  EXPECT_EQ(queues().visible("dead"), 800);
  const auto again = cancel(*handle);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().kind, ErrorKind::unsupported);
  EXPECT_EQ(cancel("unheard of").error().kind, ErrorKind::task_not_found);
}

TEST_F(MoveTasksTest, GoesOnAfterARestart) {
  queues().set_visible("dead", 300);
  const auto handle = start("dead", "alive", 1);
  while (queues().moves() == 0) {
    std::this_thread::yield();
  }
  open();
  auto listed = tasks_->list("dead", 10);
  ASSERT_EQ(listed.size(), 1u);
  EXPECT_EQ(listed.front().handle, *handle);
  EXPECT_EQ(listed.front().status, MoveStatus::running);
  EXPECT_EQ(listed.front().to_move, 300);
  EXPECT_EQ(listed.front().moved, queues().visible("alive"));
  EXPECT_EQ(listed.front().started_by, "AKIDEXAMPLE");
  EXPECT_FALSE(start());
  EXPECT_TRUE(cancel(*handle));
}

TEST_F(MoveTasksTest, KeepsRecordsForAMonth) {
  ManualClock clock(int64_t{20'000} * day_ms);
  tasks_ = *MoveTasks::open(store_, {&clock, &entropy_});
  queues().set_visible("dead", 1);
  ASSERT_TRUE(start());
  wait_for_end();
  clock.advance_ms(29 * day_ms);
  queues().set_visible("dead", 1);
  ASSERT_TRUE(start());
  wait_for_end();
  const auto listed = tasks_->list("dead", 10);
  ASSERT_EQ(listed.size(), 2u);
  EXPECT_GT(listed[0].started_ms, listed[1].started_ms);
  EXPECT_EQ(tasks_->list("dead", 1).size(), 1u);
  EXPECT_EQ(tasks_->list("alive", 10).size(), 0u);
  clock.advance_ms(2 * day_ms);
  tasks_ = *MoveTasks::open(store_, {&clock, &entropy_});
  EXPECT_EQ(tasks_->list("dead", 10).size(), 1u);
  EXPECT_EQ(store_.notes("move/")->size(), 1u);
  tasks_.reset();
}

}  // namespace
}  // namespace waybill::redrive
