#include "load/report.h"

#include <cmath>

#include "base/json.h"

namespace waybill::load {
namespace {

constexpr uint64_t refused_share_max = 100;  // one in a hundred

double rounded(double value) {
  return std::round(value * 10) / 10;
}

double micros(uint64_t ns) {
  return rounded(static_cast<double>(ns) / 1000);
}

int64_t as_integer(uint64_t number) {
  return static_cast<int64_t>(number);
}

void write_latency(json::Writer& writer, const Histogram& latency) {
  writer.begin_object();
  writer.key("mean").real(rounded(latency.mean_ns() / 1000));
  writer.key("p50").real(micros(latency.quantile_ns(0.5)));
  writer.key("p90").real(micros(latency.quantile_ns(0.9)));
  writer.key("p95").real(micros(latency.quantile_ns(0.95)));
  writer.key("p99").real(micros(latency.quantile_ns(0.99)));
  writer.key("p999").real(micros(latency.quantile_ns(0.999)));
  writer.key("max").real(micros(latency.max_ns()));
  writer.end_object();
}

// How many items an answer holds or a request writes; a full page, of those that read pages.
double items_per_request(const Options& options, const RunStats& stats) {
  switch (options.operation) {
    case Operation::query:
      return query_items;
    case Operation::scan:
      return scan_items;
    default:
      return stats.requests == 0 ? 0 : static_cast<double>(stats.items) / static_cast<double>(stats.requests);
  }
}

void write_messages(json::Writer& writer, const MessageCounts& counts) {
  writer.begin_object();
  writer.key("sent").integer(as_integer(counts.sent));
  writer.key("received").integer(as_integer(counts.received));
  writer.key("deleted").integer(as_integer(counts.deleted));
  writer.key("received_twice").integer(as_integer(counts.received_twice));
  writer.key("empty_receives").integer(as_integer(counts.empty_receives));
  writer.end_object();
}

void write_steps(json::Writer& writer, const std::map<Operation, Histogram>& steps) {
  writer.begin_object();
  for (const auto& [operation, latency] : steps) {
    write_latency(writer.key(name_of(operation)), latency);
  }
  writer.end_object();
}

}  // namespace

std::string report(const Options& options, const WakeStats& stats) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.key("operation").string(name_of(options.operation));
  writer.key("target").string(options.target.url);
  writer.key("requests").integer(as_integer(stats.from_send.count()));
  write_latency(writer.key("from_send_us"), stats.from_send);
  write_latency(writer.key("from_answer_us"), stats.from_answer);
  writer.end_object();
  return text;
}

std::string report(const Options& options, const RunStats& stats, const Samples& samples,
                   const MessageCounts* messages) {
  const auto seconds = static_cast<double>(stats.end_ns - stats.begin_ns) / 1e9;
  const auto requests = static_cast<double>(stats.requests);
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.key("operation").string(name_of(options.operation));
  writer.key("target").string(options.target.url);
  writer.key("connections").integer(as_integer(options.connections));
  writer.key("rate").real(options.rate);
  writer.key("seconds").real(std::round(seconds * 1e6) / 1e6);
  writer.key("requests").integer(as_integer(stats.requests));
  writer.key("errors").integer(as_integer(stats.errors));
  writer.key("refused").integer(as_integer(stats.refused));
  writer.key("unsent").integer(as_integer(stats.unsent));
  writer.key("checked").integer(as_integer(samples.checked()));
  writer.key("wrong").integer(as_integer(samples.wrong()));
  writer.key("items_per_request").real(rounded(items_per_request(options, stats)));
  writer.key("throughput_per_s").real(seconds > 0 ? rounded(requests / seconds) : 0);
  write_latency(writer.key("latency_us"), stats.latency);
  if (!stats.steps.empty()) {
    write_steps(writer.key("steps_us"), stats.steps);
  }
  if (messages != nullptr) {
    write_messages(writer.key("messages"), *messages);
  }
  writer.key("bytes_in").integer(as_integer(stats.bytes_in));
  writer.key("bytes_out").integer(as_integer(stats.bytes_out));
  writer.key("client_cpu_us_per_request")
      .real(requests > 0 ? std::round(static_cast<double>(stats.cpu_us) / requests * 100) / 100 : 0);
  writer.end_object();
  return text;
}

bool is_sound(const RunStats& stats, const Samples& samples) {
  return stats.requests > 0 && stats.errors == 0 && samples.wrong() == 0 &&
         stats.refused * refused_share_max <= stats.requests;
}

}  // namespace waybill::load
