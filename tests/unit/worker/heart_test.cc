// Leases of jobs under way: prolonged in time, and a job that is not ours any more is stopped.
#include "worker/heart.h"

#include <gtest/gtest.h>

#include <atomic>

#include "../client/local_server.h"
#include "client/calling.h"

namespace waybill::worker {
namespace {

const SystemClock system_clock;

class HeartTest : public testing::Test {
 protected:
  std::unique_ptr<Heart> heart_of(const LocalServer& server, int64_t lease_s) {
    client::Connection connection;
    connection.endpoint = server.url();
    connection.key = {"any", "any"};
    connection.clock = &system_clock;
    return *Heart::start({connection, lease_s});
  }
  static std::shared_ptr<const client::Job> job() {
    auto read = client::Job::read(
        "/v1/c/r", R"({"jobs":[{"id":"1","record":{},"lease":{"token":"T"},"attempt":1,"message":{}}]})");
    return std::make_shared<const client::Job>(**std::move(read));
  }
  // Whether the job is stopped within so long.
  static bool is_stopped(const HoldPtr& hold, int64_t within_ms) {
    const int64_t end_ms = system_clock.steady_ms() + within_ms;
    while (!hold->stop().stop_requested() && system_clock.steady_ms() < end_ms) {
      client::sleep_unless_stopped(5, {});
    }
    return hold->stop().stop_requested();
  }
};

TEST_F(HeartTest, ProlongsUntilItIsReleased) {
  LocalServer server([](const SeenRequest&) { return answer_with(200, "{}"); });
  const auto heart = heart_of(server, 1);
  const auto hold = heart->take(job(), system_clock.steady_ms());
  EXPECT_FALSE(is_stopped(hold, 1'500)) << "longer than its first lease";
  const auto released = heart->release(hold);
  EXPECT_FALSE(released.is_lost);
  EXPECT_GT(released.left_ms, 200);
  const auto beats = server.seen().size();
  EXPECT_GE(beats, 3U);
  EXPECT_EQ(server.seen()[0].target, "/v1/c/r/1:heartbeat");
  EXPECT_EQ(server.seen()[0].body, R"({"lease":"T","lease_s":1})");
  client::sleep_unless_stopped(500, {});
  EXPECT_EQ(server.seen().size(), beats) << "nobody prolongs what is released";
}

TEST_F(HeartTest, AJobThatIsRefusedIsLost) {
  LocalServer server([](const SeenRequest&) {
    return answer_with(409, R"({"type":"urn:x-waybill:/problems/lease-lost"})");
  });
  const auto heart = heart_of(server, 1);
  const auto hold = heart->take(job(), system_clock.steady_ms());
  EXPECT_TRUE(is_stopped(hold, 3'000));
  EXPECT_TRUE(heart->release(hold).is_lost);
}

TEST_F(HeartTest, ATroubledServerIsAskedAgainUntilTheLeaseIsOver) {
  std::atomic<bool> answers = false;
  LocalServer server(
      [&](const SeenRequest&) { return answers ? answer_with(200, "{}") : answer_with(503, ""); });
  const auto heart = heart_of(server, 1);
  const auto kept = heart->take(job(), system_clock.steady_ms());
  EXPECT_FALSE(is_stopped(kept, 500));
  answers = true;
  EXPECT_FALSE(is_stopped(kept, 1'000)) << "it was heard in time";
  EXPECT_FALSE(heart->release(kept).is_lost);
  answers = false;
  const auto lost = heart->take(job(), system_clock.steady_ms());
  EXPECT_TRUE(is_stopped(lost, 5'000));
  EXPECT_TRUE(heart->release(lost).is_lost);
}

TEST_F(HeartTest, StopsAllThatIsHeldAndTakenLater) {
  LocalServer server([](const SeenRequest&) { return answer_with(200, "{}"); });
  const auto heart = heart_of(server, 30);
  const auto before = heart->take(job(), system_clock.steady_ms());
  heart->stop_all();
  EXPECT_TRUE(before->stop().stop_requested());
  const auto after = heart->take(job(), system_clock.steady_ms());
  EXPECT_TRUE(after->stop().stop_requested());
  EXPECT_FALSE(heart->release(before).is_lost) << "it is ours still, to be given back";
}

}  // namespace
}  // namespace waybill::worker
