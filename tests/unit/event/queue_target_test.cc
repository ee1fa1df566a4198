// Events as messages of a queue of the store's own.
#include "event/queue_target.h"

#include <gtest/gtest.h>

#include "event/fixture.h"
#include "queue/digest.h"

namespace waybill::event {
namespace {

class QueueTargetTest : public EventTest {
 protected:
  // Bodies in the order of their receives, all deleted.
  std::vector<std::string> receive_all(const std::string& queue) {
    std::vector<std::string> bodies;
    for (auto given = receive(queue, 10); !given.empty(); given = receive(queue, 10)) {
      for (const auto& delivery : given) {
        bodies.push_back(body_of(delivery));
        settle(queue, delivery);
      }
    }
    return bodies;
  }
};

TEST_F(QueueTargetTest, SendsTheCloudEvent) {
  ASSERT_TRUE(make("runs-dev-events"));
  write("r1", 1);
  start_with(contract("  - {to: queue, name: \"runs-{env}-events\"}\n"), options());
  ASSERT_TRUE(all_published(1));
  const auto given = receive("runs-dev-events");
  ASSERT_EQ(given.size(), 1u);
  const auto message = **queues().read(given[0]);
  EXPECT_EQ(message.body,
            R"({"specversion":"1.0","id":"1","source":"/v1/runs/run","type":"run_ended","subject":"r1",)"
            R"("time":"2027-01-15T08:00:00.123Z","datacontenttype":"application/json","data":{"n":1}})");
  EXPECT_EQ(message.body_md5, queue::md5_hex(message.body));
  EXPECT_EQ(message.sender, "waybill");
  ASSERT_EQ(message.attributes.size(), 1u);
  EXPECT_EQ(message.attributes[0].name, "content-type");
  EXPECT_EQ(message.id.size(), 36u);
}

TEST_F(QueueTargetTest, AFifoQueueHasRecordsAsGroupsAndNothingTwice) {
  ASSERT_TRUE(make("events.fifo"));
  for (int seq = 1; seq <= 30; ++seq) {
    write("r" + std::to_string(seq % 3), seq);
  }
  write(std::string(200, 'x'), 31);
  start_with(contract("  - {to: queue, name: \"events.fifo\"}\n"), options());
  ASSERT_TRUE(all_published(31));
  // Told again, it is the same message.
  QueueTarget target(*store_, entropy_, "events.fifo");
  EXPECT_EQ(target.deliver({{"30", "/v1/runs/run", "r0", "run_ended", 0, ""}}).front().told, Told::taken);
  const auto bodies = receive_all("events.fifo");
  EXPECT_EQ(bodies.size(), 31u);
  std::map<std::string, int> last;
  for (const auto& body : bodies) {
    const int seq = std::stoi(body.substr(body.find("\"id\":\"") + 6));
    auto& before = last[body.substr(body.find("\"subject\""), 14)];
    EXPECT_GT(seq, before);
    before = seq;
  }
}

TEST_F(QueueTargetTest, WaitsForItsQueue) {
  write("r1", 1);
  start_with(contract("  - {to: queue, name: late}\n"), options());
  ASSERT_TRUE(eventually([&] { return counts().failures == 1; }));
  ASSERT_TRUE(make("late"));
  EXPECT_TRUE(in_time([&] { return counts().published == 1; }));
  EXPECT_EQ(receive_all("late").size(), 1u);
}

TEST_F(QueueTargetTest, WhatIsTooLargeIsRefused) {
  ASSERT_TRUE(make("small", {{"MaximumMessageSize", "1024"}}));
  QueueTarget target(*store_, entropy_, "small");
  const Event large{"1", "/v1/a/b", "c", "t", 0, "\"" + std::string(2'000, 'x') + "\""};
  const Event fine{"2", "/v1/a/b", "d", "t", 0, ""};
  const auto deliveries = target.deliver({large, fine});
  ASSERT_EQ(deliveries.size(), 2u);
  EXPECT_EQ(deliveries[0].told, Told::refused);
  EXPECT_EQ(deliveries[1].told, Told::taken);
  EXPECT_EQ(receive_all("small").size(), 1u);
}

}  // namespace
}  // namespace waybill::event
