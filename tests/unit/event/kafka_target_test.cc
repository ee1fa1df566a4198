// Events in a topic of a cluster that librdkafka plays, with brokers that fail.
#include "event/kafka_target.h"

#include <gtest/gtest.h>
#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>

#include <array>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "event/fixture.h"

namespace waybill::event {
namespace {

struct Read {
  int partition = 0;
  std::string key;
  std::string value;
  std::string content_type;
};

class KafkaTargetTest : public EventTest {
 protected:
  static constexpr int partitions = 4;

  void SetUp() override {
    if (!kafka_can_run) {
      GTEST_SKIP() << "ThreadSanitizer can't follow the threads of librdkafka";
    }
    EventTest::SetUp();
    std::array<char, 256> why{};
    host_ = rd_kafka_new(RD_KAFKA_PRODUCER, rd_kafka_conf_new(), why.data(), why.size());
    cluster_ = rd_kafka_mock_cluster_new(host_, 3);
    rd_kafka_mock_topic_create(cluster_, "runs-dev", partitions, 3);
  }
  void TearDown() override {
    EventTest::TearDown();
    if (cluster_ != nullptr) {
      rd_kafka_mock_cluster_destroy(cluster_);
      rd_kafka_destroy(host_);
    }
  }

  std::string brokers() const { return rd_kafka_mock_cluster_bootstraps(cluster_); }
  std::unique_ptr<Target> open(int timeout_ms = 30'000) {
    return *KafkaTarget::open({brokers(), "runs-dev", timeout_ms});
  }
  void fail_next(const std::vector<rd_kafka_resp_err_t>& errors) {
    constexpr int16_t produce = 0;  // the number of the request in Kafka's protocol
    rd_kafka_mock_push_request_errors_array(cluster_, produce, errors.size(), errors.data());
  }
  static Event event(int seq, const std::string& subject, const std::string& data = "") {
    return {std::to_string(seq), "/v1/runs/run", subject, "run_ended", 0, data};
  }
  static std::string told(const std::vector<Delivery>& deliveries) {
    std::string text;
    for (const auto& each : deliveries) {
      text += each.told == Told::taken ? 't' : each.told == Told::failed ? 'f' : 'r';
    }
    return text;
  }

  // All that the topic has, by partition.
  std::vector<Read> read_topic(std::size_t count) {
    rd_kafka_conf_t* const settings = rd_kafka_conf_new();
    std::array<char, 256> why{};
    rd_kafka_conf_set(settings, "bootstrap.servers", brokers().c_str(), why.data(), why.size());
    rd_kafka_conf_set(settings, "group.id", "test", why.data(), why.size());
    rd_kafka_t* const consumer = rd_kafka_new(RD_KAFKA_CONSUMER, settings, why.data(), why.size());
    rd_kafka_poll_set_consumer(consumer);
    rd_kafka_topic_partition_list_t* const list = rd_kafka_topic_partition_list_new(partitions);
    for (int i = 0; i < partitions; ++i) {
      rd_kafka_topic_partition_list_add(list, "runs-dev", i)->offset = RD_KAFKA_OFFSET_BEGINNING;
    }
    rd_kafka_assign(consumer, list);
    rd_kafka_topic_partition_list_destroy(list);
    std::vector<Read> all;
    // A little longer than it takes to see all, so that more than expected would be seen.
    for (int idle = 0; idle < (all.size() < count ? 100 : 3);) {
      rd_kafka_message_t* const message = rd_kafka_consumer_poll(consumer, 100);
      if (message == nullptr || message->err != RD_KAFKA_RESP_ERR_NO_ERROR) {
        ++idle;
      } else {
        all.push_back(read(*message));
      }
      if (message != nullptr) {
        rd_kafka_message_destroy(message);
      }
    }
    rd_kafka_consumer_close(consumer);
    rd_kafka_destroy(consumer);
    return all;
  }
  static Read read(const rd_kafka_message_t& message) {
    Read made{message.partition,
              {static_cast<const char*>(message.key), message.key_len},
              {static_cast<const char*>(message.payload), message.len},
              ""};
    rd_kafka_headers_t* headers = nullptr;
    const void* value = nullptr;
    std::size_t size = 0;
    if (rd_kafka_message_headers(&message, &headers) == RD_KAFKA_RESP_ERR_NO_ERROR &&
        rd_kafka_header_get_last(headers, "content-type", &value, &size) == RD_KAFKA_RESP_ERR_NO_ERROR) {
      made.content_type.assign(static_cast<const char*>(value), size);
    }
    return made;
  }

  rd_kafka_t* host_ = nullptr;
  rd_kafka_mock_cluster_t* cluster_ = nullptr;
};

TEST_F(KafkaTargetTest, WritesTheCloudEventUnderItsRecord) {
  const auto target = open();
  EXPECT_EQ(told(target->deliver({event(1, "r1"), event(2, "r2")})), "tt");
  EXPECT_EQ(told(target->deliver({event(3, "r1")})), "t");
  const auto all = read_topic(3);
  ASSERT_EQ(all.size(), 3u);
  std::map<std::string, int> partition_of;
  for (const auto& each : all) {
    EXPECT_EQ(each.content_type, "application/cloudevents+json; charset=utf-8");
    EXPECT_EQ(partition_of.try_emplace(each.key, each.partition).first->second, each.partition);
    EXPECT_NE(each.value.find("\"subject\":\"" + each.key + "\""), std::string::npos);
  }
  EXPECT_EQ(partition_of.size(), 2u);
}

TEST_F(KafkaTargetTest, RepeatsByItselfWhatABrokerFails) {
  fail_next({RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS, RD_KAFKA_RESP_ERR_REQUEST_TIMED_OUT,
             RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION});
  EXPECT_EQ(told(open()->deliver({event(1, "r1"), event(2, "r2"), event(3, "r3")})), "ttt");
  EXPECT_EQ(read_topic(3).size(), 3u);
}

TEST_F(KafkaTargetTest, FailsWhereNobodyAnswersInTime) {
  rd_kafka_mock_broker_set_down(cluster_, 1);
  rd_kafka_mock_broker_set_down(cluster_, 2);
  rd_kafka_mock_broker_set_down(cluster_, 3);
  const auto target = open(1'000);
  const auto deliveries = target->deliver({event(1, "r1")});
  EXPECT_EQ(told(deliveries), "f");
  EXPECT_NE(deliveries[0].why, "");
  // The same one goes on when they are back.
  for (int broker = 1; broker <= 3; ++broker) {
    rd_kafka_mock_broker_set_up(cluster_, broker);
  }
  EXPECT_TRUE(eventually([&] { return told(target->deliver({event(1, "r1")})) == "t"; }));
}

TEST_F(KafkaTargetTest, WhatIsTooLargeIsRefused) {
  const auto large = event(1, "r1", "\"" + std::string(2'000'000, 'x') + "\"");
  EXPECT_EQ(told(open()->deliver({large, event(2, "r2")})), "rt");
}

TEST_F(KafkaTargetTest, IsInterrupted) {
  for (int broker = 1; broker <= 3; ++broker) {
    rd_kafka_mock_broker_set_down(cluster_, broker);
  }
  const auto target = open();
  const auto begin = std::chrono::steady_clock::now();
  std::thread interrupter([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    target->interrupt();
  });
  EXPECT_EQ(told(target->deliver({event(1, "r1")})), "f");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
  interrupter.join();
}

TEST_F(KafkaTargetTest, FromTheJournalToTheTopic) {
  constexpr int count = 200;
  for (int seq = 1; seq <= count; ++seq) {
    write("r" + std::to_string(seq % 9), seq);
  }
  fail_next({RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION, RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS});
  start_with(contract("  - {to: kafka, brokers: \"" + brokers() + "\", topic: \"runs-{env}\"}\n"), options());
  // The library waits by the clock of the machine.
  ASSERT_TRUE(in_time([&] { return counts().published == count; }, 2'000'000));
  const auto all = read_topic(count);
  EXPECT_EQ(all.size(), static_cast<std::size_t>(count));
  std::map<std::string, int> last;
  for (const auto& each : all) {
    const int seq = std::stoi(each.value.substr(each.value.find("\"id\":\"") + 6));
    EXPECT_GT(seq, last[each.key]);
    last[each.key] = seq;
  }
  EXPECT_EQ(last.size(), 9u);
}

}  // namespace
}  // namespace waybill::event
