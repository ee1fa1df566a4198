#include "load/job_latency.h"

#include <algorithm>
#include <string>
#include <vector>

#include "load/job_workload.h"
#include "load/jobs_dialect.h"
#include "load/pool.h"

namespace waybill::load {
namespace {

constexpr int64_t second_ns = 1'000'000'000;
constexpr uint32_t poll_seconds = 20;
constexpr std::size_t creators = 64;
// Long enough for the server to have put the polls aside.
constexpr int64_t parked_for_ns = 200'000'000;
constexpr int64_t silence_ns_max = 60 * second_ns;
constexpr int64_t taken = -1;

class JobLatency {
 public:
  JobLatency(Dialect& dialect, const Target& target, const JobLatencyOptions& options)
      : dialect_(dialect), pool_(dialect, target), options_(options) {}

  Result<RunStats> drive() {
    WAYBILL_TRY(pool_.open(options_.workers + creators));
    for (std::size_t i = 0; i < pool_.connections().size(); ++i) {
      auto& connection = *pool_.connections()[i];
      if (i < options_.workers) {
        WAYBILL_TRY(wait_for_job(connection));
      } else {
        idle_.push_back(&connection);
      }
    }
    origin_ns_ = last_event_ns_ = now_ns() + parked_for_ns;
    const auto end_ns = origin_ns_ + options_.warmup_ns + options_.measure_ns;
    due_count_ = static_cast<uint64_t>(static_cast<double>(end_ns - origin_ns_) / 1e9 * options_.rate);
    due_ns_.reserve(due_count_);
    stats_.begin_ns = origin_ns_ + options_.warmup_ns;
    while (finished_ < due_count_) {
      for (const auto& event : pool_.wait(wait_ns())) {
        WAYBILL_TRY(handle(*static_cast<Connection*>(event.data.ptr)));
      }
      WAYBILL_TRY(create_due());
      if (now_ns() - last_event_ns_ > silence_ns_max) {
        return Error{ErrorKind::unavailable, "jobs were created and never claimed", {}};
      }
    }
    stats_.end_ns = end_ns;
    return stats_;
  }

 private:
  int64_t due_ns(uint64_t index) const {
    return origin_ns_ + static_cast<int64_t>(static_cast<double>(index) * (1e9 / options_.rate));
  }

  int64_t wait_ns() const {
    if (due_ns_.size() == due_count_ || idle_.empty()) {
      return second_ns;
    }
    return std::clamp<int64_t>(due_ns(due_ns_.size()) - now_ns(), 0, second_ns);
  }

  Status send(Connection& connection) {
    connection.busy = true;
    connection.started_ns = now_ns();
    const bool sent = connection.send(dialect_.write(connection.request)) && !connection.has_unsent();
    return sent ? Status() : Error{ErrorKind::unavailable, "a connection broke while sending", {}};
  }

  Status wait_for_job(Connection& connection) {
    connection.request.operation = Operation::claim;
    connection.request.wait_seconds = poll_seconds;
    return send(connection);
  }

  Status create_due() {
    const auto at_ns = now_ns();
    while (!idle_.empty() && due_ns_.size() < due_count_ && due_ns(due_ns_.size()) <= at_ns) {
      auto& connection = *idle_.back();
      idle_.pop_back();
      connection.request.operation = Operation::create_job;
      connection.request.items[0].id = options_.first + due_ns_.size();
      due_ns_.push_back(due_ns(due_ns_.size()));
      WAYBILL_TRY(send(connection));
    }
    return {};
  }

  Status handle(Connection& connection) {
    do {
      if (!connection.receive()) {
        return Error{ErrorKind::unavailable, "the server closed a connection", {}};
      }
    } while (connection.may_hold_more());
    const auto at_ns = last_event_ns_ = now_ns();
    WAYBILL_TRY_ASSIGN(const auto answer, dialect_.read(connection.request, connection.received()));
    if (answer.bytes == 0) {
      return {};
    }
    auto& request = connection.request;
    if (answer.outcome != Outcome::done) {
      return invalid(std::string(name_of(request.operation)) + ": " + excerpt(answer.body));
    }
    dialect_.keep(answer, request);
    connection.consume_all();
    return answered(connection, at_ns);
  }

  Status answered(Connection& connection, int64_t at_ns) {
    auto& request = connection.request;
    if (connection.started_ns >= stats_.begin_ns && request.operation != Operation::claim) {
      stats_.steps[request.operation].add(at_ns - connection.started_ns);
    }
    switch (request.operation) {
      case Operation::create_job:
        idle_.push_back(&connection);
        return {};
      case Operation::claim:
        if (request.receipt.empty()) {
          return wait_for_job(connection);
        }
        WAYBILL_TRY(take_claimed(request.items[0].id, at_ns));
        break;
      case Operation::finish:
        ++finished_;
        return wait_for_job(connection);
      default:
        break;
    }
    continue_job(request, job_steps);
    return send(connection);
  }

  Status take_claimed(uint64_t number, int64_t at_ns) {
    const auto index = number - options_.first;
    if (index >= due_ns_.size() || due_ns_[index] == taken) {
      return invalid("job " + std::to_string(number) + " was claimed twice, or was there before");
    }
    if (due_ns_[index] >= stats_.begin_ns) {
      stats_.latency.add(at_ns - due_ns_[index]);
      ++stats_.requests;
    }
    due_ns_[index] = taken;
    return {};
  }

  Dialect& dialect_;
  Pool pool_;
  JobLatencyOptions options_;
  RunStats stats_;
  std::vector<Connection*> idle_;  // creators
  std::vector<int64_t> due_ns_;    // of each job so far; `taken` once it is claimed
  int64_t origin_ns_ = 0;
  int64_t last_event_ns_ = 0;
  uint64_t due_count_ = 0;
  uint64_t finished_ = 0;
};

}  // namespace

Result<RunStats> measure_job_latency(Dialect& dialect, const Target& target,
                                     const JobLatencyOptions& options) {
  return JobLatency(dialect, target, options).drive();
}

}  // namespace waybill::load
