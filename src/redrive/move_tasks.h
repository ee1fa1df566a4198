#pragma once

#include <condition_variable>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/entropy.h"
#include "base/result.h"
#include "base/unique_function.h"
#include "redrive/move_task.h"
#include "store/store.h"

// Messages of dead-letter queues on their way back.
namespace waybill::redrive {

using MoveStarted = UniqueFunction<void(Result<std::string>)>;  // the handle
using MoveCancelled = UniqueFunction<void(Result<int64_t>)>;    // how many messages had been moved by then

// Moves messages from one queue to others in the background; tasks go on after a restart. The record of a
// task is kept for 30 days after its end, and the log tells of each start and end.
//
// Thread safety: every method may be called from any thread. `done` may come on a thread of the store's, or
// within the call.
class MoveTasks {
 public:
  struct Options {
    const Clock* clock = nullptr;
    Entropy* entropy = nullptr;
  };

  // The store has queues; it and all that the options refer to outlive the tasks.
  static Result<std::unique_ptr<MoveTasks>> open(store::Store& store, const Options& options);
  // Ends after the commits that are under way. What was not moved yet is moved after the next start.
  ~MoveTasks();
  MoveTasks(const MoveTasks&) = delete;
  MoveTasks& operator=(const MoveTasks&) = delete;

  // Both queues are there and may be used so. Errors: unsupported, with the text for the client, where a task
  // of that source is under way, or too many in all are; queue_not_found.
  void start(NewMoveTask task, MoveStarted done);

  // Those of one source, the newest first, at most `count_max`.
  std::vector<MoveTask> list(std::string_view source, std::size_t count_max) const;

  // Error task_not_found where there is none of that handle, unsupported where it is not running any more.
  void cancel(const std::string& handle, MoveCancelled done);

 private:
  // A task that is under way. Its record is changed by the thread alone, but for the wish to cancel it.
  struct Run {
    MoveTask task;
    int64_t due_ms = 0;    // of the steady clock
    int64_t saved_ms = 0;  // ditto: when its progress was written down
    std::vector<MoveCancelled> cancels;
  };
  // One attempt to move messages of one task.
  struct Step {
    MoveTask task;
    Result<store::Moved> outcome = store::Moved{};
  };

  MoveTasks(store::Store& store, const Options& options);

  Status load();
  Status claim(const std::string& source);
  void release(const std::string& source);
  void begin(NewMoveTask wanted, const std::vector<store::QueueStats>& stats, MoveStarted done);
  void add(MoveTask task);
  void forget_old();

  void run();
  std::vector<Step> due_steps(int64_t now_ms);
  void wait(std::unique_lock<std::mutex>& lock);
  void move(std::vector<Step>& steps);
  std::vector<std::string> new_ids(std::size_t count) const;
  void settle(std::vector<Step>& steps);
  MoveTask after(Step step) const;
  void save(const std::vector<MoveTask>& tasks);
  void end(const MoveTask& task);

  store::Store& store_;
  const Options options_;

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  bool stopping_ = false;
  std::set<std::string, std::less<>> starting_;  // sources of tasks whose start is not on disk yet
  std::map<std::string, Run, std::less<>> runs_;
  std::map<std::string, MoveTask, std::less<>> ended_;

  std::thread thread_;
};

}  // namespace waybill::redrive
