#include <sys/resource.h>

#include <exception>
#include <iostream>

#include "load/dialect.h"
#include "load/item_states.h"
#include "load/job_runs.h"
#include "load/options.h"
#include "load/pool.h"
#include "load/queue_runs.h"
#include "load/report.h"
#include "load/run.h"
#include "load/samples.h"
#include "load/self_test.h"
#include "load/workload.h"

namespace {

namespace load = waybill::load;
using load::Operation;
using waybill::Status;

constexpr int failure = 1;
constexpr int usage_error = 2;

int64_t to_ns(double seconds) {
  return static_cast<int64_t>(seconds * 1e9);
}

load::RunOptions run_options(const load::Options& options) {
  load::RunOptions run;
  run.check_every = options.check_every;
  if (options.operation == Operation::load) {
    run.progress_items = options.count;
    return run;
  }
  run.warmup_ns = to_ns(options.warmup_seconds);
  run.measure_ns = options.requests == 0 ? to_ns(options.seconds) : 0;
  run.requests_max = options.requests;
  run.rate = options.rate;
  return run;
}

load::WorkloadOptions workload_options(const load::Options& options, const load::Dialect& dialect) {
  load::WorkloadOptions workload;
  workload.operation = options.operation;
  workload.region = {options.first, options.count};
  workload.round = options.round;
  workload.seed = options.seed;
  workload.load_items = dialect.load_items();
  return workload;
}

// Reads what a run wrote last and checks all of it; its errors count as the run's.
Status read_back(load::ReadBack workload, load::Pool& pool, load::Dialect& dialect, load::Samples& samples,
                 load::RunStats& stats) {
  load::RunOptions options;
  options.check_every = 1;
  auto read = load::Run(pool, dialect, workload, samples, options).drive();
  if (!read) {
    return read.error();
  }
  stats.errors += read->errors;
  return {};
}

Status save_states(const load::Options& options, const load::ItemStates& states) {
  const bool changed = load::writes(options.operation);
  return options.state_file.empty() || !changed ? Status() : states.write(options.state_file);
}

waybill::Result<int> drive(const load::Options& options, load::Dialect& dialect, load::ItemStates& states) {
  if (!options.state_file.empty()) {
    WAYBILL_TRY(states.read(options.state_file));
  }
  load::Pool pool(dialect, options.target);
  WAYBILL_TRY(pool.open(options.connections));
  load::Samples samples(dialect, states);
  load::OperationWorkload workload(workload_options(options, dialect), states);
  WAYBILL_TRY_ASSIGN(auto stats, load::Run(pool, dialect, workload, samples, run_options(options)).drive());
  samples.check_all();
  WAYBILL_TRY(save_states(options, states));
  if (load::writes(options.operation)) {
    WAYBILL_TRY(read_back({workload.written(), states, options.self_check}, pool, dialect, samples, stats));
    samples.check_all();
  }
  if (options.operation == Operation::load) {
    WAYBILL_TRY(dialect.settle_table());
  }
  std::cout << load::report(options, stats, samples) << "\n";
  return load::is_sound(stats, samples) ? 0 : failure;
}

waybill::Result<int> perform(const load::Options& options) {
  const load::Population population = {options.items, options.users};
  const auto dialect = load::make_dialect(
      {options.target, options.table, population, options.self_check, options.message_bytes});
  if (options.operation == Operation::create) {
    WAYBILL_TRY(dialect->create_table());
    std::cout << R"({"operation":"create","target":")" << options.target.url << "\"}" << "\n";
    return 0;
  }
  if (options.target.protocol == load::Protocol::sqs) {
    return load::perform_on_queue(options);
  }
  if (options.target.protocol == load::Protocol::jobs) {
    return load::perform_on_jobs(options);
  }
  load::ItemStates states(population);
  return drive(options, *dialect, states);
}

// Every connection is an open file, and a shell's usual limit is 1,024 of them.
void raise_open_files_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
  }
}

int run(int count, char** values) {
  load::Options options;
  const auto start = load::read_options(count, values, options);
  if (start != load::Start::run) {
    return start == load::Start::end_well ? 0 : usage_error;
  }
  if (options.self_test) {
    return load::self_test() ? 0 : failure;
  }
  raise_open_files_limit();
  const auto code = perform(options);
  if (!code) {
    std::cerr << "waybill_load: " << code.error().message << "\n";
    return failure;
  }
  return *code;
}

}  // namespace

int main(int count, char** values) {
  try {
    return run(count, values);
  } catch (const std::exception& error) {
    std::cerr << "waybill_load: " << error.what() << "\n";
    return failure;
  }
}
