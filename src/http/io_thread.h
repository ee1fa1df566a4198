#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/burst.h"
#include "http/asio.h"
#include "http/content_coding.h"
#include "http/processors.h"
#include "http/response_writer.h"
#include "http/server_state.h"
#include "http/task_queue.h"

namespace waybill::http {

class Connection;

// One thread with its connections: waits for them, runs their tasks and sweeps for times that ran out.
//
// Thread safety: push() and is_current() from any thread, everything else on the thread itself.
class IoThread final : public std::enable_shared_from_this<IoThread>, public Burst::Sleeper {
 public:
  // `home`: the processor it stays on while it has much to do.
  IoThread(std::shared_ptr<ServerState> state, std::optional<int> home);
  ~IoThread();

  // The body of the thread. Returns after begin_stop(), once the connections have ended or their time is up.
  void run();

  // Hands over work to be run on this thread. Drops it where the thread has ended. The caller keeps this
  // object alive during the call.
  void push(Task* task);
  bool is_current() const;

  // Takes over a connected socket.
  void adopt(Socket socket, std::string peer);
  // Forgets a connection that has closed.
  void remove(const Connection& connection);

  void begin_stop();
  bool stopping() const { return stopping_; }

  asio::io_context& context() { return context_; }
  ServerState& state() { return *state_; }
  int64_t steady_ms() const { return state_->clock.steady_ms(); }
  std::string_view date() { return date_.at(state_->clock.wall_seconds()); }
  ContentCoder& coder() { return coder_; }

  // A request was handed over to whoever answers it later, or that answer has come.
  void note_handed_over();
  void note_answered() { --awaited_; }

  // Answers on their way out. Empty whenever no connection is being worked on.
  std::string out;

  // Whether this thread runs a task and works on no connection: an answer may go out at once.
  bool between_connections = false;

 private:
  void choose_processor();
  bool run_burst();
  void wake() override;
  void run_tasks();
  void await_answer();
  void start_sweep();
  void sweep();
  void end();

  // First, so that it goes last: connections and timers refer to it.
  asio::io_context context_{1};
  std::shared_ptr<ServerState> state_;
  asio::executor_work_guard<asio::io_context::executor_type> work_{context_.get_executor()};
  asio::steady_timer sweep_timer_{context_};
  std::chrono::milliseconds sweep_interval_;
  TaskQueue tasks_;
  std::size_t awaited_ = 0;  // requests that were handed over and not answered yet
  bool may_await_ = false;   // one was handed over since the last wait for an answer
  int alone_ = 0;            // requests handed over in a row while no other was under way
  const std::optional<int> home_;
  const std::vector<int> processors_ = usable_processors();
  bool at_home_ = false;
  std::atomic<bool> awaiting_{false};  // the thread looks for tasks by itself: nobody needs to wake it
  std::vector<std::shared_ptr<Connection>> connections_;
  DateText date_;
  ContentCoder coder_;
  bool stopping_ = false;
  bool ended_ = false;
  int64_t stop_at_ms_ = 0;
};

}  // namespace waybill::http
