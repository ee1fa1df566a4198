#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "alarm/decide.h"
#include "event/publishers.h"
#include "store/queues.h"

namespace waybill::server {

struct TableSample {
  std::string name;
  int64_t items = 0;
  int64_t bytes = 0;  // by the service's counting
};

// What the server's own process takes of the machine.
struct ProcessSample {
  uint64_t resident_bytes = 0;
  double cpu_seconds = 0;
  std::size_t open_files = 0;
};

// Records of one kind in one state.
struct RecordSample {
  std::string contract;
  std::string record;
  std::string state;
  int64_t count = 0;
};

// Changes of records that a rule stood against.
struct RefusalSample {
  std::string contract;
  std::string record;
  std::string rule;
  int64_t count = 0;
};

// All that /metrics tells, as of one moment.
struct MetricsSample {
  std::string version;
  int64_t now_ms = 0;
  int64_t started_ms = 0;
  std::size_t connections = 0;
  ProcessSample process;
  std::vector<TableSample> tables;
  std::vector<store::QueueStats> queues;
  std::vector<alarm::Subject> alarms;  // that are raised
  std::size_t untold_alarms = 0;
  std::vector<RecordSample> records;
  std::vector<RefusalSample> refusals;
  std::vector<event::Counts> events;
};

// Prometheus's text format, version 0.0.4.
inline constexpr std::string_view metrics_content_type = "text/plain; version=0.0.4; charset=utf-8";
std::string render_metrics(const MetricsSample& sample);

}  // namespace waybill::server
