#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "load/dialect.h"
#include "load/histogram.h"
#include "load/pool.h"
#include "load/samples.h"
#include "load/workload.h"

namespace waybill::load {

// When a run is given up: after so long without an answer, or so many answers that are errors.
inline constexpr int64_t second_ns = 1'000'000'000;
inline constexpr int64_t silence_ns_max = 120 * second_ns;
inline constexpr uint64_t failures_max = 1000;

// Of this process, so far.
int64_t cpu_us();

struct RunOptions {
  int64_t warmup_ns = 0;
  int64_t measure_ns = 0;     // 0: until the workload ends
  uint64_t requests_max = 0;  // measured ones; 0: no such limit
  double rate = 0;            // requests a second; 0: each connection sends when its answer has come
  uint64_t check_every = 64;
  uint64_t progress_items = 0;  // how many items are expected in all, where progress is to be shown
};

// From the end of the warm-up to the last answer.
struct RunStats {
  Histogram latency;
  std::map<Operation, Histogram> steps;  // where several requests count as one
  int64_t begin_ns = 0;
  int64_t end_ns = 0;
  int64_t cpu_us = 0;  // of this process
  uint64_t requests = 0;
  uint64_t items = 0;
  uint64_t errors = 0;  // also those during the warm-up
  uint64_t refused = 0;
  uint64_t unsent = 0;  // due in an open loop, and not sent for want of a free connection
  uint64_t bytes_in = 0;
  uint64_t bytes_out = 0;
};

// Sends what a workload asks for over all connections of a pool and measures the answers.
//
// Closed loop: each connection sends its next request at once, and latency counts from then. Open loop:
// requests are due at fixed times, whatever the server does; latency counts from the time a request was due,
// so that a server that stalls is charged for all the requests that it kept waiting.
class Run {
 public:
  Run(Pool& pool, Dialect& dialect, Workload& workload, Samples& samples, const RunOptions& options);

  // Returns once every request has its answer. An Error where the server is gone or keeps failing.
  Result<RunStats> drive();

 private:
  Status handle(const epoll_event& event);
  Status receive(Connection& connection);
  Status take_answer(Connection& connection);
  Status answered(Connection& connection, const Answer& answer, int64_t at_ns);
  Status lost(Connection& connection, const std::string& why);
  void count(Request& request, Outcome outcome, int64_t latency_ns);
  void note_failure(const Request& request, std::string_view why);

  void begin_measuring(int64_t at_ns);
  bool may_start(int64_t at_ns);
  // Gives a free connection its next request, at once or when one is due.
  Status next_on(Connection& connection);
  Status start_due();
  Status start(Connection& connection, int64_t started_ns);
  Status send(Connection& connection);

  bool open_loop() const { return options_.rate > 0; }
  int64_t due_ns(uint64_t index) const;
  int64_t wait_ns() const;
  void show_progress(int64_t at_ns);

  Pool& pool_;
  Dialect& dialect_;
  Workload& workload_;
  Samples& samples_;
  RunOptions options_;
  RunStats stats_;

  int64_t origin_ns_ = 0;
  int64_t end_at_ns_ = INT64_MAX;
  int64_t last_event_ns_ = 0;
  int64_t next_progress_ns_ = 0;
  int64_t cpu_before_us_ = 0;
  uint64_t in_flight_ = 0;
  uint64_t answers_ = 0;
  uint64_t started_ = 0;  // in an open loop: the index of the next request in its schedule
  uint64_t failures_ = 0;
  bool measuring_ = false;
  bool no_more_ = false;
  std::vector<Connection*> idle_;  // in an open loop
};

}  // namespace waybill::load
