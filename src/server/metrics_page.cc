#include "server/metrics_page.h"

#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

#include "rules/system_tables.h"

namespace waybill::server {
namespace {

uint64_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  uint64_t all_pages = 0;
  uint64_t resident_pages = 0;
  statm >> all_pages >> resident_pages;
  return resident_pages * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

double cpu_seconds() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  return static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

std::size_t open_files() {
  std::error_code error;
  std::size_t count = 0;
  for (std::filesystem::directory_iterator files("/proc/self/fd", error), end; !error && files != end;
       files.increment(error)) {
    ++count;
  }
  return count;
}

std::vector<TableSample> sample_tables(const store::Store& store) {
  constexpr std::size_t page_size = 1000;
  std::vector<TableSample> samples;
  std::vector<std::string> names;
  do {
    names = store.list_tables(names.empty() ? "" : names.back(), page_size);
    for (const auto& name : names) {
      if (const auto table = store.find_table(name)) {
        const auto stats = store.stats(table->space);
        samples.push_back({name, stats.items, stats.bytes});
      }
    }
  } while (names.size() == page_size);
  return samples;
}

http::Response page_of(const MetricsSample& sample) {
  http::Response response;
  response.content_type = metrics_content_type;
  response.body = render_metrics(sample);
  return response;
}

}  // namespace

MetricsPage::MetricsPage(store::Store& store, const Clock& clock, MetricsAccess access, std::string version)
    : store_(store),
      clock_(clock),
      access_(std::move(access)),
      version_(std::move(version)),
      started_ms_(clock.wall_ms()) {}

void MetricsPage::add_records(MetricsSample& sample) const {
  const auto* const contracts = contracts_.load();
  if (contracts == nullptr) {
    return;
  }
  const auto count = [this](const std::string& name) {
    const auto counted = store_.counter(name);
    return counted ? *counted : 0;
  };
  for (const auto& deployed : contracts->all()) {
    for (const auto& kind : deployed->kinds) {
      if (!kind.record->status) {
        continue;
      }
      const auto& contract = deployed->contract.name;
      const auto& record = kind.record->name;
      for (const auto& state : kind.record->status->states) {
        sample.records.push_back({contract, record, state.name.text,
                                  count(rules::count_of_state(contract, record, state.name.text))});
      }
      for (const auto* const rule : {"moves", "start"}) {
        sample.refusals.push_back(
            {contract, record, rule, count(rules::count_of_refusals(contract, record, rule))});
      }
    }
  }
}

MetricsSample MetricsPage::sample() const {
  MetricsSample sample;
  sample.version = version_;
  sample.now_ms = clock_.wall_ms();
  sample.started_ms = started_ms_;
  const auto* http = http_.load();
  sample.connections = http == nullptr ? 0 : http->connection_count();
  sample.process = {resident_bytes(), cpu_seconds(), open_files()};
  sample.tables = sample_tables(store_);
  add_records(sample);
  if (const auto* publishing = publishing_.load()) {
    sample.events = publishing->counts();
  }
  if (const auto* alarms = alarms_.load()) {
    sample.alarms = alarms->raised();
    sample.untold_alarms = alarms->untold();
  }
  return sample;
}

void MetricsPage::handle(const http::Request& request, http::Responder responder) const {
  if (!access_.allows(request)) {
    responder.send(access_.refusal());
    return;
  }
  if (store_.queues() == nullptr) {
    responder.send(page_of(sample()));
    return;
  }
  // The store's thread only hands over; the page is written on the connection's.
  store_.queues()->stats(
      "", [this, responder = std::move(responder)](std::vector<store::QueueStats> queues) mutable {
        responder.post([this, queues = std::move(queues)](http::Responder on_thread) mutable {
          auto all = sample();
          all.queues = std::move(queues);
          on_thread.send(page_of(all));
        });
      });
}

}  // namespace waybill::server
