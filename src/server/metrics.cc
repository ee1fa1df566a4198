#include "server/metrics.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>
#include <utility>

namespace waybill::server {
namespace {

// A metric of which there is one for each queue, or each table.
template <typename Of>
struct Family {
  std::string_view name;
  std::string_view type;
  std::string_view help;
  double (*value)(const Of&);
};

using store::QueueStats;

constexpr std::array<Family<QueueStats>, 8> queue_families = {{
    {"waybill_queue_messages_visible", "gauge", "Messages that can be received now.",
     [](const QueueStats& queue) { return static_cast<double>(queue.visible); }},
    {"waybill_queue_messages_in_flight", "gauge", "Messages that were received and are not deleted yet.",
     [](const QueueStats& queue) { return static_cast<double>(queue.in_flight); }},
    {"waybill_queue_messages_delayed", "gauge", "Messages that cannot be received yet.",
     [](const QueueStats& queue) { return static_cast<double>(queue.delayed); }},
    {"waybill_queue_messages_sent_total", "counter", "Messages sent.",
     [](const QueueStats& queue) { return static_cast<double>(queue.sent); }},
    {"waybill_queue_messages_received_total", "counter", "Messages given out; one counts each time.",
     [](const QueueStats& queue) { return static_cast<double>(queue.received); }},
    {"waybill_queue_messages_deleted_total", "counter", "Messages deleted by those who had received them.",
     [](const QueueStats& queue) { return static_cast<double>(queue.deleted); }},
    {"waybill_queue_messages_dead_lettered_total", "counter", "Messages that left for a dead-letter queue.",
     [](const QueueStats& queue) { return static_cast<double>(queue.dead_lettered); }},
    {"waybill_queue_messages_expired_total", "counter",
     "Messages that nobody deleted within their retention.",
     [](const QueueStats& queue) { return static_cast<double>(queue.expired); }},
}};

constexpr std::array<Family<TableSample>, 2> table_families = {{
    {"waybill_table_items", "gauge", "Items of a table.",
     [](const TableSample& table) { return static_cast<double>(table.items); }},
    {"waybill_table_bytes", "gauge", "Bytes of a table's items, as DynamoDB counts them.",
     [](const TableSample& table) { return static_cast<double>(table.bytes); }},
}};

void append_escaped(std::string& out, std::string_view text) {
  for (const char c : text) {
    if (c == '\\' || c == '"') {
      out.append(1, '\\').append(1, c);
    } else if (c == '\n') {
      out.append("\\n");
    } else {
      out.append(1, c);
    }
  }
}

// Whole numbers up to 2^53 come out whole.
void append_number(std::string& out, double value) {
  std::array<char, 64> digits{};
  const auto [end, error] =
      std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::fixed);
  out.append(digits.data(), error == std::errc() ? end : digits.data());
}

struct Label {
  std::string_view name;
  std::string_view value;
};

class Page {
 public:
  void begin(std::string_view name, std::string_view type, std::string_view help) {
    name_ = name;
    text_.append("# HELP ").append(name).append(" ").append(help).append("\n# TYPE ");
    text_.append(name).append(" ").append(type).append("\n");
  }

  void add(std::initializer_list<Label> labels, double value) {
    text_.append(name_);
    char before = '{';
    for (const auto& label : labels) {
      text_.append(1, std::exchange(before, ',')).append(label.name).append("=\"");
      append_escaped(text_, label.value);
      text_.append("\"");
    }
    text_.append(labels.size() == 0 ? " " : "} ");
    append_number(text_, value);
    text_.append("\n");
  }

  void add_single(std::string_view name, std::string_view type, std::string_view help, double value) {
    begin(name, type, help);
    add({}, value);
  }

  template <typename Of>
  void add_family(const Family<Of>& family, std::string_view label, const std::vector<Of>& all) {
    begin(family.name, family.type, family.help);
    for (const auto& one : all) {
      add({{label, one.name}}, family.value(one));
    }
  }

  std::string take() { return std::move(text_); }

 private:
  std::string_view name_;
  std::string text_;
};

constexpr double seconds_of(int64_t ms) {
  return static_cast<double>(ms) / 1000;
}

void add_process(Page& page, const MetricsSample& sample) {
  page.begin("waybill_build_info", "gauge", "The version that runs.");
  page.add({{"version", sample.version}}, 1);
  page.add_single("process_start_time_seconds", "gauge", "When the process began, since 1970.",
                  seconds_of(sample.started_ms));
  page.add_single("process_cpu_seconds_total", "counter", "Processor time of the process.",
                  sample.process.cpu_seconds);
  page.add_single("process_resident_memory_bytes", "gauge", "Memory of the process that is resident.",
                  static_cast<double>(sample.process.resident_bytes));
  page.add_single("process_open_fds", "gauge", "Files that the process has open.",
                  static_cast<double>(sample.process.open_files));
  page.add_single("waybill_connections", "gauge", "Connections of clients that are open.",
                  static_cast<double>(sample.connections));
}

void add_ages(Page& page, const MetricsSample& sample) {
  page.begin("waybill_queue_oldest_message_age_seconds", "gauge",
             "Age of the oldest message that is not delayed; 0 where there is none.");
  for (const auto& queue : sample.queues) {
    const int64_t age_ms = queue.oldest_sent_ms == 0 ? 0 : sample.now_ms - queue.oldest_sent_ms;
    page.add({{"queue", queue.name}}, seconds_of(std::max<int64_t>(age_ms, 0)));
  }
}

void add_alarms(Page& page, const MetricsSample& sample) {
  page.begin("waybill_queue_alarm", "gauge", "Alarms that are raised: 1 each.");
  for (const auto& subject : sample.alarms) {
    page.add({{"queue", subject.queue}, {"alarm", alarm::name_of(subject.kind)}}, 1);
  }
  page.add_single("waybill_alarm_notices_waiting", "gauge", "Notices that the webhook has not taken yet.",
                  static_cast<double>(sample.untold_alarms));
}

void add_records(Page& page, const MetricsSample& sample) {
  page.begin("waybill_records", "gauge", "Records of a contract by their state.");
  for (const auto& one : sample.records) {
    page.add({{"contract", one.contract}, {"record", one.record}, {"state", one.state}},
             static_cast<double>(one.count));
  }
  page.begin(
      "waybill_refused_changes_total", "counter",
      "Changes of a record's state that its contract does not allow: refused, or let through and logged.");
  for (const auto& one : sample.refusals) {
    page.add({{"contract", one.contract}, {"record", one.record}, {"rule", one.rule}},
             static_cast<double>(one.count));
  }
}

void add_events(Page& page, const MetricsSample& sample) {
  struct Column {
    std::string_view name;
    std::string_view type;
    std::string_view help;
    double (*value)(const event::Counts&);
  };
  constexpr std::array<Column, 5> columns = {{
      {"waybill_events_pending", "gauge",
       "Events that are not told everywhere yet; 10,000 at most are counted.",
       [](const event::Counts& counts) { return static_cast<double>(counts.pending); }},
      {"waybill_events_parked", "gauge", "Events that somebody will not be told.",
       [](const event::Counts& counts) { return static_cast<double>(counts.parked); }},
      {"waybill_events_published_total", "counter", "Events that were told everywhere, since the start.",
       [](const event::Counts& counts) { return static_cast<double>(counts.published); }},
      {"waybill_events_given_up_total", "counter", "Events that were parked, since the start.",
       [](const event::Counts& counts) { return static_cast<double>(counts.given_up); }},
      {"waybill_events_failures_total", "counter", "Attempts to tell events that failed, since the start.",
       [](const event::Counts& counts) { return static_cast<double>(counts.failures); }},
  }};
  for (const auto& column : columns) {
    page.begin(column.name, column.type, column.help);
    for (const auto& counts : sample.events) {
      page.add({{"contract", counts.contract}}, column.value(counts));
    }
  }
}

}  // namespace

std::string render_metrics(const MetricsSample& sample) {
  Page page;
  add_process(page, sample);
  page.add_single("waybill_tables", "gauge", "Tables.", static_cast<double>(sample.tables.size()));
  for (const auto& family : table_families) {
    page.add_family(family, "table", sample.tables);
  }
  page.add_single("waybill_queues", "gauge", "Queues.", static_cast<double>(sample.queues.size()));
  for (const auto& family : queue_families) {
    page.add_family(family, "queue", sample.queues);
  }
  add_ages(page, sample);
  add_alarms(page, sample);
  add_records(page, sample);
  add_events(page, sample);
  return page.take();
}

}  // namespace waybill::server
