#include "load/queue_runs.h"

#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "load/dialect.h"
#include "load/message_workload.h"
#include "load/pool.h"
#include "load/report.h"
#include "load/run.h"
#include "load/samples.h"
#include "load/wake.h"

namespace waybill::load {
namespace {

// SQS lets 120,000 messages of a queue be in flight.
constexpr uint64_t in_flight_max = 100'000;

// Numbers of loaded messages are below those of the first round.
constexpr uint64_t round_numbers = 100'000'000;

uint64_t first_number(const Options& options) {
  return options.operation == Operation::load ? options.first : (options.round + 1) * round_numbers;
}

RunOptions timed(const Options& options) {
  RunOptions run;
  run.check_every = options.check_every;
  run.warmup_ns = static_cast<int64_t>(options.warmup_seconds * 1e9);
  run.measure_ns = options.requests == 0 ? static_cast<int64_t>(options.seconds * 1e9) : 0;
  run.requests_max = options.requests;
  return run;
}

RunOptions to_the_end(const Options& options) {
  RunOptions run;
  run.check_every = options.check_every;
  run.progress_items = options.operation == Operation::load ? options.count : 0;
  return run;
}

// Runs of one invocation: they share connections, ledger and samples.
class QueueRuns {
 public:
  explicit QueueRuns(const Options& options)
      : options_(options),
        dialect_(make_dialect(
            {options.target, options.table, population, options.self_check, options.message_bytes})),
        states_(population),
        pool_(*dialect_, options.target),
        samples_(*dialect_, states_) {}

  Status open() { return pool_.open(options_.connections); }

  Result<RunStats> drive(Operation operation, uint64_t count, const RunOptions& run) {
    MessageWorkload workload({operation, first_number(options_), count}, ledger_);
    auto stats = Run(pool_, *dialect_, workload, samples_, run).drive();
    samples_.check_all();
    return stats;
  }

  // Prints a line for `operation` and says whether all of it was right.
  bool print(Operation operation, const RunStats& stats) const {
    auto named = options_;
    named.operation = operation;
    std::cout << report(named, stats, samples_, &ledger_.counts) << "\n";
    return is_sound(stats, samples_);
  }

  const MessageCounts& counts() const { return ledger_.counts; }

 private:
  static constexpr Population population = {1, 1};  // there are no items

  const Options& options_;
  std::unique_ptr<Dialect> dialect_;
  ItemStates states_;
  Pool pool_;
  Samples samples_;
  MessageLedger ledger_;
};

Result<int> load_messages(const Options& options) {
  QueueRuns runs(options);
  WAYBILL_TRY(runs.open());
  WAYBILL_TRY_ASSIGN(const auto stats, runs.drive(Operation::load, options.count, to_the_end(options)));
  const bool all = runs.counts().sent == options.count;
  return runs.print(Operation::load, stats) && all ? 0 : 1;
}

Result<int> measure_round_trips(const Options& options) {
  QueueRuns runs(options);
  WAYBILL_TRY(runs.open());
  WAYBILL_TRY_ASSIGN(const auto stats, runs.drive(Operation::round_trip, round_numbers, timed(options)));
  const bool sound = runs.print(Operation::round_trip, stats);
  if (!runs.counts().balanced()) {
    std::cerr << "messages were lost or received twice\n";
  }
  return sound && runs.counts().balanced() ? 0 : 1;
}

// Sends as long as asked, receives as many as were sent, deletes them.
Result<int> measure_steps(const Options& options) {
  QueueRuns runs(options);
  WAYBILL_TRY(runs.open());
  std::vector<std::pair<Operation, RunStats>> measured;
  for (const auto operation : {Operation::send, Operation::receive, Operation::remove}) {
    const bool sends = operation == Operation::send;
    WAYBILL_TRY_ASSIGN(auto stats,
                       runs.drive(operation, in_flight_max, sends ? timed(options) : to_the_end(options)));
    measured.emplace_back(operation, std::move(stats));
  }
  bool sound = runs.counts().balanced();
  if (!sound) {
    std::cerr << "messages were lost or received twice\n";
  }
  for (const auto& [operation, stats] : measured) {
    sound = runs.print(operation, stats) && sound;
  }
  return sound ? 0 : 1;
}

Result<int> measure_waking(const Options& options) {
  constexpr uint64_t wakes = 300;
  const auto dialect =
      make_dialect({options.target, options.table, {1, 1}, options.self_check, options.message_bytes});
  const auto count = options.requests == 0 ? wakes : options.requests;
  WAYBILL_TRY_ASSIGN(const auto stats, measure_wakes(*dialect, options.target, first_number(options), count));
  std::cout << report(options, stats) << "\n";
  return 0;
}

}  // namespace

Result<int> perform_on_queue(const Options& options) {
  switch (options.operation) {
    case Operation::load:
      return load_messages(options);
    case Operation::round_trip:
      return measure_round_trips(options);
    case Operation::steps:
      return measure_steps(options);
    case Operation::wake:
      return measure_waking(options);
    default:
      return invalid("on a queue there are create, load, round_trip, steps and wake");
  }
}

}  // namespace waybill::load
