#include "load/run.h"

#include <sys/resource.h>

#include <algorithm>
#include <iostream>
#include <utility>

namespace waybill::load {

int64_t cpu_us() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1'000'000 + usage.ru_utime.tv_usec +
         usage.ru_stime.tv_usec;
}

Run::Run(Pool& pool, Dialect& dialect, Workload& workload, Samples& samples, const RunOptions& options)
    : pool_(pool), dialect_(dialect), workload_(workload), samples_(samples), options_(options) {}

Result<RunStats> Run::drive() {
  origin_ns_ = last_event_ns_ = now_ns();
  stats_.begin_ns = stats_.end_ns = origin_ns_;  // what ends within its warm-up is measured as a whole
  next_progress_ns_ = origin_ns_ + second_ns;
  cpu_before_us_ = cpu_us();
  if (options_.warmup_ns == 0) {
    begin_measuring(origin_ns_);
  }
  for (const auto& connection : pool_.connections()) {
    WAYBILL_TRY(next_on(*connection));
  }
  while (in_flight_ > 0 || (open_loop() && !no_more_)) {
    const auto events = pool_.wait(wait_ns());
    for (const auto& event : events) {
      WAYBILL_TRY(handle(event));
    }
    if (open_loop()) {
      WAYBILL_TRY(start_due());
    }
    if (events.empty() && in_flight_ > 0 && now_ns() - last_event_ns_ > silence_ns_max) {
      return Error{ErrorKind::unavailable, "no answer for two minutes", {}};
    }
  }
  stats_.cpu_us = cpu_us() - cpu_before_us_;
  stats_.errors = failures_;
  return stats_;
}

void Run::begin_measuring(int64_t at_ns) {
  measuring_ = true;
  stats_ = RunStats();
  stats_.begin_ns = stats_.end_ns = at_ns;
  end_at_ns_ = options_.measure_ns > 0 ? at_ns + options_.measure_ns : INT64_MAX;
  cpu_before_us_ = cpu_us();
}

int64_t Run::due_ns(uint64_t index) const {
  return origin_ns_ + static_cast<int64_t>(static_cast<double>(index) * (1e9 / options_.rate));
}

int64_t Run::wait_ns() const {
  if (!open_loop() || no_more_ || idle_.empty()) {
    return second_ns;
  }
  return std::clamp<int64_t>(due_ns(started_) - now_ns(), 0, second_ns);
}

bool Run::may_start(int64_t at_ns) {
  const bool enough =
      measuring_ && options_.requests_max != 0 && stats_.requests + in_flight_ >= options_.requests_max;
  no_more_ = no_more_ || enough || at_ns >= end_at_ns_;
  return !no_more_;
}

Status Run::next_on(Connection& connection) {
  if (open_loop()) {
    idle_.push_back(&connection);
    return {};
  }
  return start(connection, 0);
}

Status Run::start_due() {
  const auto at_ns = now_ns();
  while (!idle_.empty() && due_ns(started_) <= at_ns && !no_more_) {
    auto& connection = *idle_.back();
    idle_.pop_back();
    WAYBILL_TRY(start(connection, due_ns(started_++)));
  }
  if (at_ns >= end_at_ns_) {
    no_more_ = true;
    const auto due =
        static_cast<uint64_t>(static_cast<double>(end_at_ns_ - origin_ns_) / 1e9 * options_.rate);
    stats_.unsent = due > started_ ? due - started_ : 0;
  }
  return {};
}

// `started_ns` 0: when it is sent.
Status Run::start(Connection& connection, int64_t started_ns) {
  // A round trip that has begun goes on to its end, so that no message is left over.
  if (!connection.request.has_next && !may_start(last_event_ns_)) {
    return {};
  }
  if (!workload_.next(connection.request)) {
    no_more_ = true;
    return {};
  }
  connection.started_ns = started_ns;
  connection.busy = true;
  ++in_flight_;
  return send(connection);
}

Status Run::send(Connection& connection) {
  const auto bytes = dialect_.write(connection.request);
  stats_.bytes_out += bytes.size();
  if (!open_loop()) {
    connection.started_ns = now_ns();
  }
  if (!connection.send(bytes)) {
    return lost(connection, "the connection broke while sending");
  }
  if (connection.has_unsent()) {
    pool_.watch_sending(connection, true);
  }
  return {};
}

Status Run::handle(const epoll_event& event) {
  auto& connection = *static_cast<Connection*>(event.data.ptr);
  if ((event.events & EPOLLOUT) != 0 && connection.has_unsent()) {
    if (!connection.send_rest()) {
      return lost(connection, "the connection broke while sending");
    }
    if (!connection.has_unsent()) {
      pool_.watch_sending(connection, false);
    }
  }
  if ((event.events & (EPOLLIN | EPOLLHUP | EPOLLERR)) == 0) {
    return {};
  }
  return receive(connection);
}

// Reads until there is no more, which is mostly once: the next request must not go out before.
Status Run::receive(Connection& connection) {
  do {
    if (!connection.receive()) {
      return lost(connection, "the server closed the connection");
    }
  } while (connection.may_hold_more());
  return take_answer(connection);
}

Status Run::take_answer(Connection& connection) {
  const auto at_ns = last_event_ns_ = now_ns();
  if (!connection.busy) {
    return connection.received().empty() ? Status() : lost(connection, "an answer without a request");
  }
  const auto answer = dialect_.read(connection.request, connection.received());
  if (!answer) {
    return lost(connection, answer.error().message);
  }
  return answer->bytes == 0 ? Status() : answered(connection, *answer, at_ns);
}

Status Run::answered(Connection& connection, const Answer& answer, int64_t at_ns) {
  auto& request = connection.request;
  if (answer.outcome == Outcome::unprocessed && request.operation == Operation::load) {
    connection.consume_all();
    return send(connection);
  }
  count(request, answer.outcome, at_ns - connection.started_ns);
  stats_.bytes_in += answer.bytes;
  stats_.end_ns = at_ns;
  if (!measuring_ && at_ns >= origin_ns_ + options_.warmup_ns) {
    begin_measuring(at_ns);
  }
  if (answer.outcome == Outcome::done) {
    dialect_.keep(answer, request);
    if (++answers_ % options_.check_every == 0 && request.operation != Operation::raw) {
      samples_.add(request, answer.body);
    }
  } else if (answer.outcome != Outcome::refused) {
    note_failure(request, answer.body);
  }
  workload_.finished(request, answer.outcome);
  connection.busy = false;
  --in_flight_;
  connection.consume_all();
  if (options_.progress_items != 0 && at_ns >= next_progress_ns_) {
    show_progress(at_ns);
  }
  if (failures_ > failures_max) {
    return Error{ErrorKind::unavailable, "too many errors", {}};
  }
  return next_on(connection);
}

void Run::count(Request& request, Outcome outcome, int64_t latency_ns) {
  request.steps_ns += latency_ns;
  if (request.has_next || request.steps_ns != latency_ns) {
    stats_.steps[request.operation].add(latency_ns);
  }
  if (request.has_next) {
    return;
  }
  stats_.latency.add(std::exchange(request.steps_ns, 0));
  ++stats_.requests;
  stats_.items += request.count;
  stats_.refused += outcome == Outcome::refused ? 1 : 0;
}

void Run::note_failure(const Request& request, std::string_view why) {
  if (++failures_ == 1) {
    std::cerr << "error in answer to " << name_of(request.operation) << ": " << excerpt(why) << "\n";
  }
}

// A connection on which nothing was asked may be closed at any time; a request that was lost is an error.
Status Run::lost(Connection& connection, const std::string& why) {
  if (connection.busy) {
    note_failure(connection.request, why);
    workload_.finished(connection.request, Outcome::failed);
    --in_flight_;
  }
  const bool was_busy = connection.busy;
  if (failures_ > failures_max) {
    return Error{ErrorKind::unavailable, "too many errors", {}};
  }
  WAYBILL_TRY(pool_.reopen(connection));
  return was_busy ? next_on(connection) : Status();
}

void Run::show_progress(int64_t at_ns) {
  const auto seconds = static_cast<double>(at_ns - stats_.begin_ns) / 1e9;
  next_progress_ns_ = at_ns + second_ns;
  std::cerr << stats_.items << " of " << options_.progress_items << " items, "
            << static_cast<uint64_t>(static_cast<double>(stats_.items) / seconds) << " a second\n";
}

}  // namespace waybill::load
