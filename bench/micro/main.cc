// Benchmarks of the hot parts.
//
//   waybill_micro [--benchmark_filter=REGEX …]   times, by Google Benchmark
//   waybill_micro --count [PREFIX]               runs each part a fixed number of times, to be counted by
//                                                callgrind: see scripts/micro
#include <benchmark/benchmark.h>

#include <cstdio>
#include <string_view>

#include "part.h"

namespace waybill::micro {
namespace {

constexpr int warm_runs = 20;  // first uses are over: caches are filled, lazily bound symbols bound
constexpr int counted_runs = 100;

Parts all_parts() {
  Parts parts;
  add_base_parts(parts);
  add_item_parts(parts);
  add_number_parts(parts);
  add_expression_parts(parts);
  add_table_parts(parts);
  add_http_parts(parts);
  add_signature_parts(parts);
  add_api_parts(parts);
  add_engine_parts(parts);
  add_rules_parts(parts);
  add_request_parts(parts);
  return parts;
}

void time_part(benchmark::State& state, const Part& part) {
  const Work work = part.prepare();
  work.once();
  work.begin();
  for (auto _ : state) {
    work.once();
  }
  const auto allocations = static_cast<double>(work.end());
  if (work.bytes > 0) {
    state.SetBytesProcessed(state.iterations() * work.bytes);
  }
  state.SetItemsProcessed(state.iterations() * work.items);
  state.counters["allocs"] = benchmark::Counter(allocations, benchmark::Counter::kAvgIterations);
}

// Prints "name runs allocations"; the instructions are in callgrind's files.
void count_part(const Part& part) {
  const Work work = part.prepare();
  for (int i = 0; i < warm_runs; ++i) {
    work.once();
  }
  work.begin();
  for (int i = 0; i < counted_runs; ++i) {
    work.once();
  }
  const int64_t allocations = work.end();
  write_counts(part.name.c_str());
  std::printf("%s %d %lld\n", part.name.c_str(), counted_runs, static_cast<long long>(allocations));
}

int run(int argc, char** argv) {
  const Parts parts = all_parts();
  if (argc >= 2 && std::string_view(argv[1]) == "--count") {
    const std::string_view prefix = argc >= 3 ? argv[2] : "";
    for (const Part& part : parts) {
      if (part.name.starts_with(prefix)) {
        count_part(part);
      }
    }
    return 0;
  }
  for (const Part& part : parts) {
    auto* registered = benchmark::RegisterBenchmark(
        part.name.c_str(), [&part](benchmark::State& state) { time_part(state, part); });
    if (part.place == Place::other_thread) {
      registered->UseRealTime();
    }
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
    return 2;
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace
}  // namespace waybill::micro

int main(int argc, char** argv) {
  return waybill::micro::run(argc, argv);
}
