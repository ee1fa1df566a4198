#include "load/job_batches.h"

#include <iostream>
#include <map>
#include <utility>
#include <vector>

namespace waybill::load {
namespace {

// Those who share a connection.
struct Group {
  std::vector<Request> workers;
  std::vector<Request*> asked;  // whose requests are under way, in the order of the batch
};

class BatchRun {
 public:
  BatchRun(Pool& pool, JobsDialect& dialect, Workload& workload, Samples& samples, const RunOptions& options,
           std::size_t workers)
      : pool_(pool), dialect_(dialect), workload_(workload), samples_(samples), options_(options) {
    for (const auto& connection : pool.connections()) {
      groups_[connection.get()].workers.resize(workers);
    }
  }

  Result<RunStats> drive() {
    origin_ns_ = last_event_ns_ = now_ns();
    stats_.begin_ns = stats_.end_ns = origin_ns_;
    cpu_before_us_ = cpu_us();
    for (const auto& connection : pool_.connections()) {
      WAYBILL_TRY(ask(*connection));
    }
    while (in_flight_ > 0) {
      const auto events = pool_.wait(second_ns);
      for (const auto& event : events) {
        WAYBILL_TRY(handle(event));
      }
      if (events.empty() && now_ns() - last_event_ns_ > silence_ns_max) {
        return Error{ErrorKind::unavailable, "no answer for two minutes", {}};
      }
    }
    stats_.cpu_us = cpu_us() - cpu_before_us_;
    stats_.errors = failures_;
    return stats_;
  }

 private:
  // A job that was begun goes on to its end.
  bool may_begin() const { return !measuring_ || options_.measure_ns == 0 || last_event_ns_ < end_at_ns_; }

  Status ask(Connection& connection) {
    Group& group = groups_[&connection];
    group.asked.clear();
    for (auto& worker : group.workers) {
      if ((worker.has_next || may_begin()) && workload_.next(worker)) {
        worker.wait_seconds = 0;
        group.asked.push_back(&worker);
      }
    }
    if (group.asked.empty()) {
      return {};
    }
    const auto bytes = dialect_.write_batch(group.asked);
    stats_.bytes_out += bytes.size();
    connection.started_ns = now_ns();
    connection.busy = true;
    ++in_flight_;
    if (!connection.send(bytes)) {
      return lost("the connection broke while sending");
    }
    if (connection.has_unsent()) {
      pool_.watch_sending(connection, true);
    }
    return {};
  }

  Status handle(const epoll_event& event) {
    auto& connection = *static_cast<Connection*>(event.data.ptr);
    if ((event.events & EPOLLOUT) != 0 && connection.has_unsent()) {
      if (!connection.send_rest()) {
        return lost("the connection broke while sending");
      }
      if (!connection.has_unsent()) {
        pool_.watch_sending(connection, false);
      }
    }
    if ((event.events & (EPOLLIN | EPOLLHUP | EPOLLERR)) == 0) {
      return {};
    }
    do {
      if (!connection.receive()) {
        return lost("the server closed the connection");
      }
    } while (connection.may_hold_more());
    last_event_ns_ = now_ns();
    return connection.busy ? take_answer(connection) : Status();
  }

  Status take_answer(Connection& connection) {
    Group& group = groups_[&connection];
    WAYBILL_TRY_ASSIGN(const auto answer, dialect_.read(*group.asked.front(), connection.received()));
    if (answer.bytes == 0) {
      return {};
    }
    if (answer.outcome != Outcome::done) {
      return lost(excerpt(answer.body));
    }
    const auto answers = JobsDialect::split_batch(answer.body);
    if (answers.size() != group.asked.size()) {
      return lost("a batch has other answers than requests");
    }
    stats_.bytes_in += answer.bytes;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      WAYBILL_TRY(answered(*group.asked[i], answers[i], last_event_ns_ - connection.started_ns));
    }
    stats_.end_ns = last_event_ns_;
    if (!measuring_ && last_event_ns_ >= origin_ns_ + options_.warmup_ns) {
      begin_measuring();
    }
    connection.busy = false;
    --in_flight_;
    connection.consume_all();
    return ask(connection);
  }

  void begin_measuring() {
    measuring_ = true;
    stats_ = RunStats();
    stats_.begin_ns = stats_.end_ns = last_event_ns_;
    end_at_ns_ = last_event_ns_ + options_.measure_ns;
    cpu_before_us_ = cpu_us();
  }

  Status answered(Request& request, const Answer& answer, int64_t latency_ns) {
    request.steps_ns += latency_ns;
    stats_.steps[request.operation].add(latency_ns);
    if (!request.has_next) {
      stats_.latency.add(std::exchange(request.steps_ns, 0));
      ++stats_.requests;
      stats_.items += request.count;
    }
    if (answer.outcome == Outcome::done) {
      dialect_.keep(answer, request);
      if (++answers_ % options_.check_every == 0) {
        samples_.add(request, answer.body);
      }
    } else if (++failures_ == 1) {
      std::cerr << "error in answer to " << name_of(request.operation) << ": " << excerpt(answer.body)
                << "\n";
    }
    workload_.finished(request, answer.outcome);
    return failures_ <= failures_max ? Status() : lost("too many errors");
  }

  static Status lost(std::string_view why) { return Error{ErrorKind::unavailable, std::string(why), {}}; }

  Pool& pool_;
  JobsDialect& dialect_;
  Workload& workload_;
  Samples& samples_;
  const RunOptions options_;
  std::map<const Connection*, Group> groups_;
  RunStats stats_;
  int64_t origin_ns_ = 0;
  int64_t end_at_ns_ = 0;
  int64_t last_event_ns_ = 0;
  int64_t cpu_before_us_ = 0;
  uint64_t in_flight_ = 0;
  uint64_t answers_ = 0;
  uint64_t failures_ = 0;
  bool measuring_ = false;
};

}  // namespace

Result<RunStats> drive_in_batches(Pool& pool, JobsDialect& dialect, Workload& workload, Samples& samples,
                                  const RunOptions& options, std::size_t workers) {
  return BatchRun(pool, dialect, workload, samples, options, workers).drive();
}

}  // namespace waybill::load
