#include "load/job_runs.h"

#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "load/dialect.h"
#include "load/job_batches.h"
#include "load/job_latency.h"
#include "load/job_workload.h"
#include "load/jobs_dialect.h"
#include "load/pool.h"
#include "load/report.h"
#include "load/run.h"
#include "load/samples.h"

namespace waybill::load {
namespace {

// Numbers of loaded jobs are below those of the first round.
constexpr uint64_t round_numbers = 100'000'000;

bool loads(const Options& options) {
  return options.operation == Operation::load || options.operation == Operation::load_finished;
}

uint64_t first_number(const Options& options) {
  return loads(options) ? options.first : (options.round + 1) * round_numbers;
}

int64_t to_ns(double seconds) {
  return static_cast<int64_t>(seconds * 1e9);
}

RunOptions run_options(const Options& options) {
  RunOptions run;
  run.check_every = options.check_every;
  if (loads(options)) {
    run.progress_items = options.count;
    return run;
  }
  run.warmup_ns = to_ns(options.warmup_seconds);
  run.measure_ns = options.requests == 0 ? to_ns(options.seconds) : 0;
  run.requests_max = options.requests;
  return run;
}

std::unique_ptr<JobsDialect> dialect_for(const Options& options) {
  return std::make_unique<JobsDialect>(
      DialectOptions{options.target, options.table, {1, 1}, options.self_check, options.message_bytes});
}

// Drives a workload and prints a line; `ledger` where jobs are counted in it.
Result<int> drive(const Options& options, Workload& workload, const MessageLedger* ledger) {
  const auto dialect = dialect_for(options);
  const ItemStates states({1, 1});  // there are no items
  Pool pool(*dialect, options.target);
  WAYBILL_TRY(pool.open(options.connections));
  Samples samples(*dialect, states);
  WAYBILL_TRY_ASSIGN(const auto stats,
                     options.batch == 0 ? Run(pool, *dialect, workload, samples, run_options(options)).drive()
                                        : drive_in_batches(pool, *dialect, workload, samples,
                                                           run_options(options), options.batch));
  samples.check_all();
  std::cout << report(options, stats, samples, ledger == nullptr ? nullptr : &ledger->counts) << "\n";
  return is_sound(stats, samples) ? 0 : 1;
}

Result<int> work_on_jobs(const Options& options) {
  JobWorkloadOptions workload_options;
  workload_options.is_worked_on = options.operation != Operation::load;
  workload_options.steps = options.operation == Operation::lifecycle ? job_steps : 0;
  workload_options.first = first_number(options);
  workload_options.count = loads(options) ? options.count : round_numbers;
  MessageLedger ledger;
  JobWorkload workload(workload_options, ledger);
  WAYBILL_TRY_ASSIGN(const int code, drive(options, workload, &ledger));
  const auto& counts = ledger.counts;
  const bool whole = workload_options.is_worked_on ? counts.balanced() : counts.sent == options.count;
  if (!whole) {
    std::cerr << "jobs were lost or claimed twice\n";
  }
  return whole ? code : 1;
}

Result<int> ask(const Options& options) {
  std::ifstream file(options.paths_file);
  std::vector<std::string> paths;
  for (std::string line; std::getline(file, line);) {
    paths.push_back(line);
  }
  if (paths.empty()) {
    return invalid("--paths names no file with paths, one a line");
  }
  AskWorkload workload(std::move(paths));
  return drive(options, workload, nullptr);
}

Result<int> measure_claims(const Options& options) {
  const auto dialect = dialect_for(options);
  const JobLatencyOptions latency{options.connections, options.rate, to_ns(options.warmup_seconds),
                                  to_ns(options.seconds), first_number(options)};
  WAYBILL_TRY_ASSIGN(const auto stats, measure_job_latency(*dialect, options.target, latency));
  const ItemStates states({1, 1});
  const Samples samples(*dialect, states);
  std::cout << report(options, stats, samples) << "\n";
  return 0;
}

}  // namespace

Result<int> perform_on_jobs(const Options& options) {
  switch (options.operation) {
    case Operation::load:
    case Operation::load_finished:
    case Operation::lifecycle:
      return work_on_jobs(options);
    case Operation::claim_latency:
      return options.rate > 0 ? measure_claims(options) : invalid("claim_latency needs a --rate");
    case Operation::ask:
      return ask(options);
    default:
      return invalid("on jobs there are load, load_finished, lifecycle, claim_latency and ask");
  }
}

}  // namespace waybill::load
