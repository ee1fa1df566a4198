#include "redrive/move_tasks.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/check.h"
#include "base/log.h"
#include "base/thread_name.h"
#include "redrive/countdown.h"
#include "redrive/progress.h"

namespace waybill::redrive {
namespace {

constexpr std::size_t active_max = 100;    // the service's own limit
constexpr std::size_t ended_max = 10'000;  // records of tasks that are over
constexpr int64_t kept_ms = int64_t{30} * 24 * 60 * 60 * 1000;
constexpr int64_t save_interval_ms = 1'000;
constexpr int64_t wait_ms_max = 60'000;

Error unsupported(std::string message) {
  return Error{ErrorKind::unsupported, std::move(message), {}};
}

}  // namespace

MoveTasks::MoveTasks(store::Store& store, const Options& options) : store_(store), options_(options) {}

Result<std::unique_ptr<MoveTasks>> MoveTasks::open(store::Store& store, const Options& options) {
  WAYBILL_CHECK(store.queues() != nullptr);
  std::unique_ptr<MoveTasks> tasks(new MoveTasks(store, options));
  WAYBILL_TRY(tasks->load());
  tasks->forget_old();
  tasks->thread_ = std::thread([self = tasks.get()] { self->run(); });
  return tasks;
}

MoveTasks::~MoveTasks() {
  {
    std::unique_lock lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return starting_.empty(); });
  }
  if (thread_.joinable()) {
    thread_.join();
  }
  for (auto& [handle, run] : runs_) {
    for (auto& done : run.cancels) {
      done(Error{ErrorKind::unavailable, "The server is stopping.", {}});
    }
  }
}

Status MoveTasks::load() {
  WAYBILL_TRY_ASSIGN(const auto notes, store_.notes(move_notes));
  for (const auto& note : notes) {
    WAYBILL_TRY_ASSIGN(auto task, read_move_task(note));
    if (task.is_under_way()) {
      log_info(describe(task) + ", and goes on");
      const int64_t now_ms = options_.clock->steady_ms();
      const int64_t due_ms = now_ms + pace_of(task.rate_per_second).interval_ms;
      runs_.emplace(task.handle, Run{task, due_ms, now_ms, {}});
    } else {
      ended_.emplace(task.handle, std::move(task));
    }
  }
  return {};
}

// Handles begin with the time, so the first are the oldest.
void MoveTasks::forget_old() {
  std::vector<std::string> forgotten;
  {
    const std::lock_guard lock(mutex_);
    const int64_t before_ms = options_.clock->wall_ms() - kept_ms;
    while (!ended_.empty() && (ended_.begin()->second.ended_ms < before_ms || ended_.size() > ended_max)) {
      forgotten.push_back(ended_.begin()->first);
      ended_.erase(ended_.begin());
    }
  }
  for (const auto& handle : forgotten) {
    store_.forget_note(std::string(move_notes) + handle, [](const Status& /*status*/) {});
  }
}

// From here on no other task of that source begins.
Status MoveTasks::claim(const std::string& source) {
  const std::lock_guard lock(mutex_);
  const bool is_running = std::any_of(runs_.begin(), runs_.end(),
                                      [&](const auto& entry) { return entry.second.task.source == source; });
  if (is_running || starting_.contains(source)) {
    return unsupported(
        "There is already a task running. Only one active task is allowed for a source queue arn at a given "
        "time.");
  }
  if (runs_.size() + starting_.size() >= active_max) {
    return unsupported("There are " + std::to_string(active_max) +
                       " active tasks already. No more are allowed at a given time.");
  }
  starting_.insert(source);
  return {};
}

void MoveTasks::release(const std::string& source) {
  const std::lock_guard lock(mutex_);
  starting_.erase(source);
  changed_.notify_all();
}

void MoveTasks::start(NewMoveTask task, MoveStarted done) {
  forget_old();
  if (auto claimed = claim(task.source); !claimed) {
    done(std::move(claimed).error());
    return;
  }
  std::string source = task.source;
  store_.queues()->stats(std::move(source), [this, task = std::move(task), done = std::move(done)](
                                                const std::vector<store::QueueStats>& stats) mutable {
    begin(std::move(task), stats, std::move(done));
  });
}

void MoveTasks::begin(NewMoveTask wanted, const std::vector<store::QueueStats>& stats, MoveStarted done) {
  if (stats.empty()) {
    release(wanted.source);
    done(Error{ErrorKind::queue_not_found, "The specified queue does not exist.", {}});
    return;
  }
  constexpr std::size_t time_digits = 14;
  MoveTask task;
  task.started_ms = options_.clock->wall_ms();
  task.handle = make_dated_id(task.started_ms, time_digits, *options_.entropy);
  task.source = std::move(wanted.source);
  task.destination = std::move(wanted.destination);
  task.rate_per_second = wanted.rate_per_second;
  task.started_by = std::move(wanted.started_by);
  task.to_move = stats.front().visible;
  auto note = note_of(task);
  store_.put_note(std::move(note),
                  [this, task = std::move(task), done = std::move(done)](Status status) mutable {
                    if (!status) {
                      release(task.source);
                      done(std::move(status).error());
                      return;
                    }
                    std::string handle = task.handle;
                    add(std::move(task));
                    done(std::move(handle));
                  });
}

void MoveTasks::add(MoveTask task) {
  log_info(describe(task));
  const int64_t now_ms = options_.clock->steady_ms();
  const std::lock_guard lock(mutex_);
  starting_.erase(task.source);
  std::string handle = task.handle;
  runs_.emplace(std::move(handle), Run{std::move(task), now_ms, now_ms, {}});
  changed_.notify_all();
}

std::vector<MoveTask> MoveTasks::list(std::string_view source, std::size_t count_max) const {
  std::vector<MoveTask> listed;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [handle, run] : runs_) {
      if (run.task.source == source) {
        listed.push_back(run.task);
      }
    }
    for (const auto& [handle, task] : ended_) {
      if (task.source == source) {
        listed.push_back(task);
      }
    }
  }
  std::sort(listed.begin(), listed.end(), [](const auto& a, const auto& b) { return a.handle > b.handle; });
  listed.resize(std::min(listed.size(), count_max));
  return listed;
}

void MoveTasks::cancel(const std::string& handle, MoveCancelled done) {
  std::unique_lock lock(mutex_);
  const auto found = runs_.find(handle);
  if (found == runs_.end()) {
    const bool is_over = ended_.contains(handle);
    lock.unlock();
    done(is_over ? unsupported("Only active tasks can be cancelled.")
                 : Error{ErrorKind::task_not_found, "Task does not exist.", {}});
    return;
  }
  found->second.task.status = MoveStatus::cancelling;
  found->second.due_ms = options_.clock->steady_ms();
  found->second.cancels.push_back(std::move(done));
  changed_.notify_all();
}

void MoveTasks::run() {
  name_this_thread("redrive");
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    auto steps = due_steps(options_.clock->steady_ms());
    if (steps.empty()) {
      wait(lock);
      continue;
    }
    lock.unlock();
    move(steps);
    settle(steps);
    lock.lock();
  }
  std::vector<MoveTask> unfinished;
  unfinished.reserve(runs_.size());
  for (const auto& [handle, run] : runs_) {
    unfinished.push_back(run.task);
  }
  lock.unlock();
  save(unfinished);
}

// Under the lock.
std::vector<MoveTasks::Step> MoveTasks::due_steps(int64_t now_ms) {
  std::vector<Step> steps;
  for (auto& [handle, run] : runs_) {
    if (run.due_ms <= now_ms) {
      run.due_ms = now_ms + pace_of(run.task.rate_per_second).interval_ms;
      steps.push_back({run.task});
    }
  }
  return steps;
}

void MoveTasks::wait(std::unique_lock<std::mutex>& lock) {
  int64_t until_due_ms = wait_ms_max;
  for (const auto& [handle, run] : runs_) {
    until_due_ms = std::min(until_due_ms, run.due_ms - options_.clock->steady_ms());
  }
  changed_.wait_for(lock, std::chrono::milliseconds(std::max<int64_t>(until_due_ms, 1)));
}

// All at once, so that they share commits, and waits for the last.
void MoveTasks::move(std::vector<Step>& steps) {
  Countdown moved(steps.size());
  for (auto& step : steps) {
    const std::size_t batch = step.task.status == MoveStatus::running ? next_batch(step.task) : 0;
    if (batch == 0) {
      moved.count_down();
      continue;
    }
    store_.queues()->move({step.task.source, step.task.destination, new_ids(batch)},
                          [&step, &moved](Result<store::Moved> outcome) {
                            step.outcome = std::move(outcome);
                            moved.count_down();
                          });
  }
  moved.wait();
}

std::vector<std::string> MoveTasks::new_ids(std::size_t count) const {
  std::vector<std::string> ids(count);
  std::generate(ids.begin(), ids.end(), [this] { return make_uuid4(*options_.entropy); });
  return ids;
}

// Each task after its step. How far it is gets written down at its end, and about once a second before.
void MoveTasks::settle(std::vector<Step>& steps) {
  const int64_t now_ms = options_.clock->steady_ms();
  std::vector<MoveTask> noted;
  std::unique_lock lock(mutex_);
  for (auto& step : steps) {
    Run& run = runs_.at(step.task.handle);
    if (run.task.status == MoveStatus::running) {
      run.due_ms = std::max(run.due_ms, now_ms + pause_ms(step.outcome));
    }
    MoveTask task = after(std::move(step));
    run.task.moved = task.moved;
    if (!task.is_under_way() || now_ms - run.saved_ms >= save_interval_ms) {
      run.saved_ms = now_ms;
      noted.push_back(std::move(task));
    }
  }
  lock.unlock();
  save(noted);
  for (const auto& task : noted) {
    if (!task.is_under_way()) {
      end(task);
    }
  }
}

MoveTask MoveTasks::after(Step step) const {
  const int64_t now_ms = options_.clock->wall_ms();
  return step.task.status == MoveStatus::cancelling
             ? ended(std::move(step.task), MoveStatus::cancelled, now_ms)
             : after_move(std::move(step.task), step.outcome, now_ms);
}

void MoveTasks::save(const std::vector<MoveTask>& tasks) {
  Countdown written(tasks.size());
  for (const auto& task : tasks) {
    store_.put_note(note_of(task), [&written](const Status& /*status*/) { written.count_down(); });
  }
  written.wait();
}

void MoveTasks::end(const MoveTask& task) {
  log_info(describe(task));
  std::unique_lock lock(mutex_);
  auto run = runs_.extract(task.handle);
  ended_.emplace(task.handle, task);
  lock.unlock();
  for (auto& done : run.mapped().cancels) {
    done(task.moved);
  }
}

}  // namespace waybill::redrive
