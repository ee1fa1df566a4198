// The page that Prometheus reads, byte by byte where its format asks for it.
#include "server/metrics.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

namespace waybill::server {
namespace {

MetricsSample sample() {
  MetricsSample sample;
  sample.version = "0.1.0";
  sample.now_ms = 1'731'742'800'000;
  sample.started_ms = 1'731'742'700'500;
  sample.connections = 3;
  sample.process = {123'456'789, 1.5, 42};
  sample.tables = {{"songs", 12, 3456}};
  store::QueueStats jobs;
  jobs.name = "jobs.fifo";
  jobs.visible = 5;
  jobs.in_flight = 2;
  jobs.delayed = 1;
  jobs.oldest_sent_ms = sample.now_ms - 61'250;
  jobs.sent = 9'007'199'254'740'991;
  jobs.received = 20;
  jobs.deleted = 10;
  jobs.dead_lettered = 4;
  jobs.expired = 6;
  store::QueueStats empty;
  empty.name = "empty";
  sample.queues = {jobs, empty};
  sample.alarms = {{"jobs.fifo", alarm::Kind::age}};
  sample.untold_alarms = 7;
  return sample;
}

bool has_line(const std::string& page, const std::string& line) {
  return ("\n" + page).find("\n" + line + "\n") != std::string::npos;
}

TEST(Metrics, TellsOfQueues) {
  const std::string page = render_metrics(sample());
  for (const char* line :
       {"waybill_queues 2", R"(waybill_queue_messages_visible{queue="jobs.fifo"} 5)",
        R"(waybill_queue_messages_visible{queue="empty"} 0)",
        R"(waybill_queue_messages_in_flight{queue="jobs.fifo"} 2)",
        R"(waybill_queue_messages_delayed{queue="jobs.fifo"} 1)",
        R"(waybill_queue_oldest_message_age_seconds{queue="jobs.fifo"} 61.25)",
        R"(waybill_queue_oldest_message_age_seconds{queue="empty"} 0)",
        R"(waybill_queue_messages_sent_total{queue="jobs.fifo"} 9007199254740991)",
        R"(waybill_queue_messages_received_total{queue="jobs.fifo"} 20)",
        R"(waybill_queue_messages_deleted_total{queue="jobs.fifo"} 10)",
        R"(waybill_queue_messages_dead_lettered_total{queue="jobs.fifo"} 4)",
        R"(waybill_queue_messages_expired_total{queue="jobs.fifo"} 6)",
        R"(waybill_queue_alarm{queue="jobs.fifo",alarm="age"} 1)", "waybill_alarm_notices_waiting 7"}) {
    EXPECT_TRUE(has_line(page, line)) << line << "\n" << page;
  }
}

TEST(Metrics, TellsOfTablesAndTheProcess) {
  const std::string page = render_metrics(sample());
  for (const char* line :
       {"waybill_tables 1", R"(waybill_table_items{table="songs"} 12)",
        R"(waybill_table_bytes{table="songs"} 3456)", R"(waybill_build_info{version="0.1.0"} 1)",
        "process_resident_memory_bytes 123456789", "process_cpu_seconds_total 1.5", "process_open_fds 42",
        "process_start_time_seconds 1731742700.5", "waybill_connections 3"}) {
    EXPECT_TRUE(has_line(page, line)) << line << "\n" << page;
  }
}

TEST(Metrics, EachFamilyIsDeclaredOnceAndStandsTogether) {
  std::istringstream page(render_metrics(sample()));
  std::set<std::string> declared;
  std::string family;
  int samples = 0;
  for (std::string line; std::getline(page, line);) {
    std::istringstream words(line);
    std::string first;
    std::string second;
    std::string name;
    words >> first >> second >> name;
    if (first == "#" && second == "HELP") {
      EXPECT_TRUE(declared.insert(name).second) << name;
      family = name;
    } else if (first == "#") {
      EXPECT_EQ(second, "TYPE");
      EXPECT_EQ(name, family);
    } else {
      EXPECT_EQ(line.substr(0, line.find_first_of("{ ")), family);
      ++samples;
    }
  }
  EXPECT_GT(samples, 25);
}

TEST(Metrics, EscapesLabels) {
  MetricsSample odd;
  odd.tables = {{"a\\b\"c\nd", 1, 1}};
  EXPECT_TRUE(has_line(render_metrics(odd), R"(waybill_table_items{table="a\\b\"c\nd"} 1)"));
}

TEST(Metrics, AnAgeIsNeverNegative) {
  MetricsSample ahead;
  ahead.now_ms = 1'000;
  store::QueueStats queue;
  queue.name = "q";
  queue.oldest_sent_ms = 5'000;
  ahead.queues = {queue};
  EXPECT_TRUE(has_line(render_metrics(ahead), R"(waybill_queue_oldest_message_age_seconds{queue="q"} 0)"));
}

}  // namespace
}  // namespace waybill::server
