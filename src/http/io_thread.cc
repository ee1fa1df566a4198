#include "http/io_thread.h"

#include <algorithm>
#include <exception>
#include <span>
#include <thread>
#include <utility>

#include "base/log.h"
#include "base/thread_name.h"
#include "http/connection.h"

namespace waybill::http {
namespace {

constexpr std::chrono::milliseconds stopping_sweep_interval{10};

// About as long as a disk takes to sync, at less than a microsecond each.
constexpr int looks_max = 600;
constexpr int looks_between_polls = 16;
constexpr int alone_min = 8;
constexpr std::size_t crowd_min = 8;
constexpr int64_t burst_us_max = 100;

thread_local const IoThread* current_thread = nullptr;

// A quarter of the shortest time limit: late by no more than that.
std::chrono::milliseconds sweep_interval_for(const ServerOptions& options) {
  const int64_t shortest_ms = std::min(
      {options.header_timeout_ms, options.idle_timeout_ms, options.body_grace_ms, options.write_timeout_ms});
  return std::chrono::milliseconds(std::clamp<int64_t>(shortest_ms / 4, 5, 1000));
}

}  // namespace

IoThread::IoThread(std::shared_ptr<ServerState> state, std::optional<int> home)
    : state_(std::move(state)), sweep_interval_(sweep_interval_for(state_->options)), home_(home) {}

IoThread::~IoThread() = default;

void IoThread::run() {
  name_this_thread("http");
  current_thread = this;
  start_sweep();
  while (!context_.stopped()) {
    try {
      while (run_burst()) {
        if (may_await_) {
          await_answer();
        }
      }
    } catch (const std::exception& exception) {
      log_error(std::string("http: an I/O thread caught: ") + exception.what());
    }
  }
  current_thread = nullptr;
}

// Waits for something to do, then does what is there, as long as it takes little time: others may wait for
// what this thread hands over first. False where there will be no more.
bool IoThread::run_burst() {
  const Burst burst;
  if (context_.run_one() == 0) {
    return false;
  }
  const int64_t end_us = state_->system_clock.steady_us() + burst_us_max;
  while (context_.poll_one() > 0 && state_->system_clock.steady_us() < end_us) {
  }
  return true;
}

void IoThread::push(Task* task) {
  if (tasks_.push(task) == TaskQueue::Pushed::first && !awaiting_.load()) {
    Burst::wake(shared_from_this());
  }
}

void IoThread::wake() {
  asio::post(context_, [this] { run_tasks(); });
}

void IoThread::note_handed_over() {
  ++awaited_;
  may_await_ = true;
  alone_ = awaited_ == 1 ? alone_ + 1 : 0;
  choose_processor();
}

// Alone with one client at a time, a thread is best off where the client is.
void IoThread::choose_processor() {
  if (!home_) {
    return;
  }
  if (!at_home_ && awaited_ >= crowd_min) {
    stay_on(std::span(&*home_, 1));
    at_home_ = true;
  } else if (at_home_ && alone_ >= alone_min) {
    stay_on(processors_);
    at_home_ = false;
  }
}

// Falling asleep and being woken takes longer than many an answer. A thread with one request under way, and
// so with nothing else to do, looks out for the answer for a while. Where several come at a time there is
// mostly work, and looking out would take the processor from those who do it.
void IoThread::await_answer() {
  may_await_ = false;
  if (awaited_ != 1 || alone_ < alone_min) {
    return;
  }
  awaiting_.store(true);
  for (int look = 1; look <= looks_max && tasks_.empty(); ++look) {
    if (look % looks_between_polls == 0 && context_.poll_one() > 0) {
      break;
    }
    std::this_thread::yield();
  }
  // Whoever put a task in up to here may have relied on this thread to find it.
  awaiting_.store(false);
  run_tasks();
}

bool IoThread::is_current() const {
  return current_thread == this;
}

void IoThread::run_tasks() {
  for (Task* task = tasks_.take_all(); task != nullptr;) {
    Task* const next = task->next;
    between_connections = true;
    try {
      task->run();
    } catch (const std::exception& exception) {
      log_error(std::string("http: a task threw: ") + exception.what());
    }
    between_connections = false;
    task = next;
  }
}

void IoThread::adopt(Socket socket, std::string peer) {
  if (stopping_) {
    return;
  }
  auto connection = std::make_shared<Connection>(shared_from_this(), std::move(socket), std::move(peer));
  connection->list_index = connections_.size();
  connections_.push_back(connection);
  connection->start();
}

void IoThread::remove(const Connection& connection) {
  const std::size_t index = connection.list_index;
  std::swap(connections_[index], connections_.back());
  connections_[index]->list_index = index;
  connections_.pop_back();
}

void IoThread::start_sweep() {
  sweep_timer_.expires_after(stopping_ ? stopping_sweep_interval : sweep_interval_);
  sweep_timer_.async_wait([this](const ErrorCode&) {
    if (!ended_) {
      sweep();
    }
  });
}

// From the back, because a connection that closes is replaced by the last one of the list.
void IoThread::sweep() {
  const int64_t now_ms = steady_ms();
  for (std::size_t i = connections_.size(); i-- > 0;) {
    const std::shared_ptr<Connection> connection = connections_[i];
    connection->check_time(now_ms);
  }
  if (stopping_ && (connections_.empty() || state_->system_clock.steady_ms() >= stop_at_ms_)) {
    end();
    return;
  }
  start_sweep();
}

void IoThread::begin_stop() {
  if (stopping_) {
    return;
  }
  stopping_ = true;
  // The machine's clock: a test's clock that stands still must not keep the thread from ending.
  stop_at_ms_ = state_->system_clock.steady_ms() + state_->options.stop_timeout_ms;
  for (std::size_t i = connections_.size(); i-- > 0;) {
    const std::shared_ptr<Connection> connection = connections_[i];
    connection->close_if_idle();
    connection->tell_watcher();
  }
  sweep_timer_.cancel();  // it calls sweep(), which goes on at the shorter interval
}

void IoThread::end() {
  ended_ = true;
  while (!connections_.empty()) {
    const std::shared_ptr<Connection> connection = connections_.back();
    connection->close();
  }
  tasks_.close();
  work_.reset();
}

}  // namespace waybill::http
