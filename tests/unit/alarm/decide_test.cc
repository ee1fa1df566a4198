// When alarms begin and end.
#include "alarm/decide.h"

#include <gtest/gtest.h>

namespace waybill::alarm {
namespace {

const Subject jobs_depth{"jobs", Kind::depth};

Look look(int64_t value, int64_t threshold = 10) {
  return {jobs_depth, value, threshold};
}

// The changes that a row of values brings, as text: "+12" raised at 12, "-3" cleared at 3.
std::string course(const std::vector<int64_t>& values, State state = {}) {
  std::string text;
  for (const int64_t value : values) {
    auto decision = decide(std::move(state), {look(value)});
    state = std::move(decision.state);
    for (const auto& change : decision.changes) {
      EXPECT_EQ(change.subject, jobs_depth);
      EXPECT_EQ(change.threshold, 10);
      text += (change.raised ? "+" : "-") + std::to_string(change.value) + " ";
    }
  }
  return text;
}

TEST(Decide, RaisesOnceAboveAndClearsOnceAtTheThreshold) {
  EXPECT_EQ(course({0, 5, 10, 10, 10}), "");
  EXPECT_EQ(course({11, 12, 13, 14, 15}), "+12 ");
  EXPECT_EQ(course({11, 12, 50, 10, 10, 9, 0}), "+12 -10 ");
  EXPECT_EQ(course({11, 12, 3, 3, 20, 20}), "+12 -3 +20 ");
}

TEST(Decide, OneLookIsNotEnough) {
  EXPECT_EQ(course({11, 0, 11, 0, 11, 0}), "");
  EXPECT_EQ(course({11, 11, 0, 11, 0, 11, 0, 11}), "+11 ");
}

TEST(Decide, KeepsNothingOfWhatIsQuiet) {
  EXPECT_TRUE(decide({}, {look(5)}).state.empty());
  EXPECT_EQ(decide({}, {look(11)}).state.size(), 1u);
  EXPECT_TRUE(decide(decide({}, {look(11)}).state, {look(5)}).state.empty());
}

TEST(Decide, GoesOnWithWhatWasRaisedBefore) {
  const State raised{{jobs_depth, Alarm{true, 10, 0}}};
  EXPECT_EQ(course({11, 12}, raised), "");
  EXPECT_EQ(course({1, 2}, raised), "-2 ");
}

TEST(Decide, ClearsWhatNobodyLooksAtAnyMore) {
  const auto decision =
      decide({{jobs_depth, Alarm{true, 10, 0}}, {{"new", Kind::age}, Alarm{false, 1, 1}}}, {});
  ASSERT_EQ(decision.changes.size(), 1u);
  EXPECT_EQ(decision.changes.front().subject, jobs_depth);
  EXPECT_FALSE(decision.changes.front().raised);
  EXPECT_EQ(decision.changes.front().threshold, 10);
  EXPECT_TRUE(decision.state.empty());
}

TEST(Decide, FollowsANewThreshold) {
  auto decision = decide({{jobs_depth, Alarm{true, 10, 0}}}, {look(50, 100)});
  EXPECT_TRUE(decision.changes.empty());
  decision = decide(std::move(decision.state), {look(50, 100)});
  ASSERT_EQ(decision.changes.size(), 1u);
  EXPECT_EQ(decision.changes.front().threshold, 100);
}

queue::QueuePtr queue_of(const std::string& name, queue::Settings settings = {}) {
  auto queue = std::make_shared<queue::Queue>();
  queue->name = name;
  queue->settings = std::move(settings);
  return queue;
}

store::QueueStats stats_of(const std::string& name, int64_t visible, int64_t in_flight, int64_t oldest_ms) {
  store::QueueStats stats;
  stats.name = name;
  stats.visible = visible;
  stats.in_flight = in_flight;
  stats.delayed = 1'000;
  stats.oldest_sent_ms = oldest_ms;
  return stats;
}

const Look* find(const std::vector<Look>& looks, const Subject& subject) {
  for (const auto& each : looks) {
    if (each.subject == subject) {
      return &each;
    }
  }
  return nullptr;
}

TEST(LookAt, TakesTheQueuesOwnThresholdsFirst) {
  queue::Settings own;
  own.alarm_depth = 7;
  own.alarm_age_ms = 60'000;
  const std::vector<queue::QueuePtr> queues = {queue_of("own", own), queue_of("plain")};
  const std::vector<store::QueueStats> stats = {stats_of("own", 3, 4, 5'000), stats_of("plain", 1, 1, 0)};
  const auto looks = look_at(queues, stats, {100, 200'000, std::nullopt}, 9'000);
  ASSERT_EQ(looks.size(), 4u);
  const Look* depth = find(looks, {"own", Kind::depth});
  ASSERT_NE(depth, nullptr);
  EXPECT_EQ(depth->value, 7);  // delayed messages do not wait for anybody
  EXPECT_EQ(depth->threshold, 7);
  const Look* age = find(looks, {"own", Kind::age});
  ASSERT_NE(age, nullptr);
  EXPECT_EQ(age->value, 4'000);
  EXPECT_EQ(age->threshold, 60'000);
  EXPECT_EQ(find(looks, {"plain", Kind::depth})->threshold, 100);
  EXPECT_EQ(find(looks, {"plain", Kind::age})->threshold, 200'000);
  EXPECT_EQ(find(looks, {"plain", Kind::age})->value, 0);
}

TEST(LookAt, KnowsDeadLetterQueues) {
  queue::Settings source;
  source.redrive = queue::Redrive{"dead", 3};
  queue::Settings strict;
  strict.alarm_depth = 2;
  queue::Settings to_strict;
  to_strict.redrive = queue::Redrive{"strict", 3};
  const std::vector<queue::QueuePtr> queues = {queue_of("source", source), queue_of("dead"),
                                               queue_of("strict", strict), queue_of("other", to_strict)};
  const std::vector<store::QueueStats> stats = {stats_of("source", 0, 0, 0), stats_of("dead", 1, 0, 0),
                                                stats_of("strict", 0, 0, 0), stats_of("other", 0, 0, 0)};
  const auto looks = look_at(queues, stats, {std::nullopt, std::nullopt, 0}, 9'000);
  ASSERT_EQ(looks.size(), 2u);
  EXPECT_EQ(find(looks, {"dead", Kind::depth})->threshold, 0);
  EXPECT_EQ(find(looks, {"strict", Kind::depth})->threshold, 2);
}

TEST(LookAt, LooksAtNothingWithoutThresholds) {
  EXPECT_TRUE(look_at({queue_of("q")}, {stats_of("q", 5, 5, 1)}, {}, 9'000).empty());
  EXPECT_FALSE(has_thresholds({queue_of("q")}, {}));
  queue::Settings own;
  own.alarm_depth = 0;
  EXPECT_TRUE(has_thresholds({queue_of("q", own)}, {}));
  EXPECT_TRUE(has_thresholds({}, {std::nullopt, std::nullopt, 1}));
}

}  // namespace
}  // namespace waybill::alarm
