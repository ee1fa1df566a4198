// Rows per second of an import from PostgreSQL, in turns with plain BatchWriteItem of the same items, which
// are made before the clock runs, by the same client with as many batches in flight.
//
//   waybill_import_bench MAPPING CONNECTION SERVER [ROUNDS [IN_FLIGHT]]
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/clock.h"
#include "intake/import_run.h"
#include "intake/item_requests.h"
#include "intake/page_reader.h"
#include "intake/session.h"

namespace {

using namespace waybill::intake;
using waybill::SystemClock;

class Silent final : public Watcher {
 public:
  void advanced(const std::string& /*what*/, uint64_t /*done*/, uint64_t /*total*/) override {}
  void rejected(const Rejection& rejection) override {
    std::fprintf(stderr, "rejected: %s: %s\n", rejection.row.c_str(), rejection.why.c_str());
  }
  void lags(uint64_t /*changes*/, int64_t /*oldest_ms*/, uint64_t /*applied*/) override {}
  void says(const std::string& /*text*/) override {}
};

template <typename Value>
Value must(waybill::Result<Value> result) {
  if (!result) {
    std::fprintf(stderr, "%s\n", result.error().message.c_str());
    std::exit(1);
  }
  return *std::move(result);
}

std::vector<std::vector<Write>> make_batches(Session& session) {
  std::vector<std::vector<Write>> batches;
  PageReader reader(session, {});
  for (auto page = must(reader.next()); page; page = must(reader.next())) {
    for (std::size_t row = 0; row < page->count(); ++row) {
      const auto item = must(session.mapper().item_of(session.values(*page, row)));
      if (batches.empty() || batches.back().size() == writes_per_batch_max) {
        batches.emplace_back();
      }
      batches.back().push_back({put_request(item.view()), {}, {}});
    }
  }
  return batches;
}

double write_plainly(Session& session, std::vector<std::vector<Write>> batches, const SystemClock& clock) {
  const Writers::Options options{session.settings().endpoint, session.shape().table,
                                 session.settings().in_flight};
  const auto writers = must(Writers::start(
      options, clock, session.patience(),
      [](uint64_t, const std::vector<Rejection>& rejected) { WAYBILL_CHECK(rejected.empty()); }));
  const int64_t begun_us = clock.steady_us();
  for (auto& batch : batches) {
    WAYBILL_CHECK(writers->submit(std::move(batch)).has_value());
  }
  WAYBILL_CHECK(writers->drain().has_value());
  return static_cast<double>(clock.steady_us() - begun_us) / 1e6;
}

double import_rows(Session& session, const std::string& file, const SystemClock& clock) {
  Silent silent;
  const int64_t begun_us = clock.steady_us();
  const auto done = must(run_import(session, {}, file, silent));
  WAYBILL_CHECK(done.is_complete && done.rejected == 0);
  return static_cast<double>(clock.steady_us() - begun_us) / 1e6;
}

}  // namespace

int main(int count, char** values) {
  if (count < 4) {
    std::fprintf(stderr, "waybill_import_bench MAPPING CONNECTION SERVER [ROUNDS [IN_FLIGHT]]\n");
    return 2;
  }
  std::ifstream file(values[1], std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  waybill::contract::Problems problems;
  auto mapping = read_mapping(text, problems);
  Settings settings;
  settings.connection = values[2];
  settings.endpoint = must(find_endpoint(values[3]));
  settings.in_flight = count > 5 ? static_cast<unsigned>(std::atoi(values[5])) : settings.in_flight;
  const SystemClock clock;
  const StopFlag stop = false;
  const auto session = must(Session::open(std::move(mapping), settings, clock, stop, problems));
  WAYBILL_CHECK(problems.empty());
  const auto batches = make_batches(*session);
  const auto rows = static_cast<double>(must(session->count_rows()));
  const std::string progress =
      (std::filesystem::temp_directory_path() / ("waybill-import-bench-" + std::to_string(::getpid())))
          .string();
  const int rounds = count > 4 ? std::max(1, std::atoi(values[4])) : 5;
  for (int round = 0; round < rounds; ++round) {
    const double plain_s = write_plainly(*session, batches, clock);
    const double import_s = import_rows(*session, progress, clock);
    std::printf("%.0f rows   plain BatchWriteItem %.0f/s   import %.0f/s   %.0f %%\n", rows, rows / plain_s,
                rows / import_s, plain_s / import_s * 100);
    std::fflush(stdout);
  }
  std::filesystem::remove(progress);
  return 0;
}
