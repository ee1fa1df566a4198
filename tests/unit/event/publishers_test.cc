// Events from the journal to those who are told, over failures, refusals and restarts, on a real store.
#include "event/publishers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "event/fixture.h"

namespace waybill::event {
namespace {

constexpr int64_t day_ms = int64_t{24} * 60 * 60 * 1000;
const std::string published = R"(,"published":{"N":"1800000000000"})";

class PublishersTest : public EventTest {
 protected:
  // "a:done b:failing ".
  std::string read_notes_of(const std::string& id, int seq) {
    const std::string text = row(id, seq);
    std::string notes;
    for (const std::string name : {"a", "b"}) {
      for (const std::string state : {"done", "failing", "refused"}) {
        const bool is_it = text.find("\"" + name + R"(":{"M":{"state":{"S":")" + state) != std::string::npos;
        notes += is_it ? name + ":" + state + " " : "";
      }
    }
    return notes;
  }

  // Whether of any two events of one record the earlier one was heard first.
  bool in_order(const std::map<std::string, int>& first_heard, int count) {
    std::map<std::string, int> last;
    for (int seq = 1; seq <= count; ++seq) {
      const int heard = first_heard.at(std::to_string(seq));
      const auto [place, is_new] = last.try_emplace(records_[seq], heard);
      if (!is_new && heard < place->second) {
        return false;
      }
      place->second = heard;
    }
    return true;
  }

  std::map<int, std::string> records_;  // by seq
};

TEST_F(PublishersTest, TellsWhatIsPendingInItsOrder) {
  for (int seq = 1; seq <= 25; ++seq) {
    write("r" + std::to_string(seq % 4), seq);
  }
  start({"a"});
  ASSERT_TRUE(all_published(25));
  // Each once, those of one record in their order.
  auto ids = listeners_["a"].heard_ids();
  std::map<int, int> last;
  for (const auto& id : ids) {
    const int seq = std::stoi(id);
    EXPECT_GT(seq, last[seq % 4]);
    last[seq % 4] = seq;
  }
  EXPECT_EQ(ids.size(), 25u);
  EXPECT_EQ(row("r1", 1), published);
  // What comes later is seen as well.
  write("r1", 30);
  EXPECT_TRUE(all_published(26));
  EXPECT_EQ(listeners_["a"].heard_ids().back(), "30");
}

TEST_F(PublishersTest, LeavesOtherRowsAlone) {
  write("r1", 1, "");
  write("r2", 2, R"(,"pending":{"S":"other"})");
  start({"a"});
  write("r3", 3);
  ASSERT_TRUE(all_published(1));
  EXPECT_EQ(listeners_["a"].heard(), "3");
  EXPECT_EQ(row("r1", 1), "");
  EXPECT_EQ(row("r2", 2), R"(,"pending":{"S":"other"})");
}

TEST_F(PublishersTest, IsWokenAtOnce) {
  look_interval_ms_ = 60'000;
  start({"a"});
  let_looks_pass();
  write("r1", 1);
  publishers_->wake();
  EXPECT_TRUE(hears("a", "1"));
}

TEST_F(PublishersTest, AFailureHoldsBackItsRecordAlone) {
  listeners_["a"].set_failing("r1", true);
  write("r1", 1);
  write("r2", 2);
  write("r1", 3);
  write("r3", 4);
  start({"a"});
  EXPECT_TRUE(hears("a", "2 4"));
  write("r2", 5);
  EXPECT_TRUE(hears("a", "2 4 5"));
  EXPECT_EQ(listeners_["a"].attempts("3"), 0);
  EXPECT_TRUE(eventually([&] { return counts().pending == 2; }));
  EXPECT_EQ(counts().oldest_pending_ms, 1'800'000'000'123);
  listeners_["a"].set_failing("r1", false);
  EXPECT_TRUE(in_time([&] { return listeners_["a"].heard() == "2 4 5 1 3"; }));
  EXPECT_TRUE(all_published(5));
}

TEST_F(PublishersTest, TriesLaterAndLater) {
  listeners_["a"].set_failing("r1", true);
  write("r1", 1);
  start({"a"});
  const auto attempted = [&](int count) {
    return eventually([&] { return listeners_["a"].attempts("1") == count; });
  };
  ASSERT_TRUE(attempted(1));
  int attempts = 1;
  for (const int64_t wait_ms : {1'000, 2'000, 4'000, 8'000, 16'000, 32'000, 60'000, 60'000}) {
    ASSERT_TRUE(eventually([&] { return counts().failures == static_cast<uint64_t>(attempts); }));
    let_looks_pass();
    clock_.advance_ms(wait_ms - 1);
    let_looks_pass();
    EXPECT_EQ(listeners_["a"].attempts("1"), attempts);
    clock_.advance_ms(1);
    ++attempts;
    ASSERT_TRUE(attempted(attempts)) << wait_ms;
  }
}

TEST_F(PublishersTest, DoesNotTryAllWhereTheOtherSideIsAway) {
  listeners_["a"].set_away(true);
  for (int seq = 1; seq <= 100; ++seq) {
    write("r" + std::to_string(seq), seq);
  }
  start({"a"});
  ASSERT_TRUE(eventually([&] { return counts().failures == 10; }));
  let_looks_pass();
  EXPECT_EQ(counts().failures, 10u);
  clock_.advance_ms(1'000);
  ASSERT_TRUE(eventually([&] { return counts().failures == 13; }));
  let_looks_pass();
  EXPECT_EQ(counts().failures, 13u);
  listeners_["a"].set_away(false);
  EXPECT_TRUE(in_time([&] { return counts().published == 100; }));
}

TEST_F(PublishersTest, ParksWhatIsRefusedAndGoesOn) {
  listeners_["a"].set_refusing("1", true);
  write("r1", 1);
  write("r1", 2);
  start({"a"});
  EXPECT_TRUE(hears("a", "2"));
  ASSERT_TRUE(eventually([&] { return counts().parked == 1 && counts().pending == 0; }));
  EXPECT_EQ(row("r1", 1), R"(,"parked":{"S":"runs"},"targets":{"M":{"a":{"M":{"state":{"S":"refused"},)"
                          R"("at":{"N":"1800000000000"},"why":{"S":"no such thing"}}}}})");
  const auto parked = *publishers_->parked("runs", 10);
  ASSERT_EQ(parked.size(), 1u);
  EXPECT_EQ(parked[0].key, (RowKey{"runs/run/r1", "1"}));
  EXPECT_EQ(parked[0].type, "run_ended");
  EXPECT_EQ(parked[0].at_ms, 1'800'000'000'123);
  EXPECT_EQ(parked[0].why, "a: no such thing");
  EXPECT_EQ(counts().given_up, 1u);
  EXPECT_EQ(listeners_["a"].attempts("1"), 1);
}

TEST_F(PublishersTest, WhatIsUnparkedIsToldAgain) {
  listeners_["a"].set_refusing("1", true);
  write("r1", 1);
  write("r1", 2);
  start({"a"});
  ASSERT_TRUE(eventually([&] { return counts().parked == 1 && counts().published == 1; }));
  EXPECT_FALSE(publishers_->unpark("runs", {"runs/run/r1", "2"}));
  EXPECT_FALSE(publishers_->unpark("runs", {"runs/run/r9", "1"}));
  EXPECT_FALSE(publishers_->unpark("walks", {"runs/run/r1", "1"}));
  listeners_["a"].set_refusing("1", false);
  EXPECT_TRUE(publishers_->unpark("runs", {"runs/run/r1", "1"}));
  EXPECT_TRUE(hears("a", "2 1"));
  EXPECT_TRUE(eventually([&] { return counts().published == 2 && counts().parked == 0; }));
  EXPECT_EQ(row("r1", 1), published);
}

TEST_F(PublishersTest, AllThatIsParkedIsToldAgain) {
  for (const auto* id : {"1", "3"}) {
    listeners_["a"].set_refusing(id, true);
  }
  for (int seq = 1; seq <= 3; ++seq) {
    write("r" + std::to_string(seq), seq);
  }
  start({"a"});
  ASSERT_TRUE(eventually([&] { return counts().parked == 2 && counts().published == 1; }));
  EXPECT_FALSE(publishers_->unpark_all("walks", 10));
  listeners_["a"].set_refusing("1", false);
  EXPECT_EQ(*publishers_->unpark_all("runs", 10), 2u);
  // The other one is refused again.
  EXPECT_TRUE(hears("a", "2 1"));
  ASSERT_TRUE(eventually([&] { return counts().parked == 1 && counts().published == 2; }));
  listeners_["a"].set_refusing("3", false);
  EXPECT_EQ(*publishers_->unpark_all("runs", 10), 1u);
  EXPECT_TRUE(hears("a", "2 1 3"));
  EXPECT_TRUE(all_published(3));
  EXPECT_EQ(*publishers_->unpark_all("runs", 10), 0u);
}

TEST_F(PublishersTest, ParksWhatFailedForADayAlsoOverARestart) {
  listeners_["a"].set_failing("r1", true);
  write("r1", 1);
  write("r1", 2);
  start({"a"});
  ASSERT_TRUE(eventually([&] { return counts().failures == 1; }));
  ASSERT_TRUE(eventually([&] { return row("r1", 1).find("failing") != std::string::npos; }));
  publishers_.reset();
  reopen();
  clock_.advance_ms(day_ms - 1);
  start({"a"});
  ASSERT_TRUE(eventually([&] { return counts().failures == 1; }));
  EXPECT_EQ(counts().parked, 0u);
  clock_.advance_ms(1'000);
  // Its successor gets a day of its own.
  ASSERT_TRUE(eventually([&] { return counts().parked == 1 && counts().pending == 1; }));
  EXPECT_EQ(publishers_->parked("runs", 10)->front().why, "a: could not be told for a day: as told");
  listeners_["a"].set_failing("r1", false);
  EXPECT_TRUE(in_time([&] { return listeners_["a"].heard() == "2"; }));
}

TEST_F(PublishersTest, ToldIsWhatAllHaveBeenTold) {
  listeners_["b"].set_failing("r1", true);
  write("r1", 1);
  write("r2", 2);
  start({"a", "b"});
  EXPECT_TRUE(hears("a", "1 2"));
  EXPECT_TRUE(hears("b", "2"));
  ASSERT_TRUE(eventually([&] { return counts().published == 1; }));
  ASSERT_TRUE(eventually([&] { return read_notes_of("r1", 1) == "a:done b:failing "; })) << row("r1", 1);
  EXPECT_EQ(counts().pending, 1u);
  // A restart goes on with the one that has not got it.
  publishers_.reset();
  reopen();
  listeners_["b"].set_failing("r1", false);
  start({"a", "b"});
  EXPECT_TRUE(hears("b", "2 1"));
  EXPECT_TRUE(all_published(1));
  EXPECT_EQ(listeners_["a"].heard(), "1 2");
  EXPECT_EQ(row("r1", 1), published);
}

TEST_F(PublishersTest, ARefusalOfOneDoesNotKeepItFromTheOthers) {
  listeners_["a"].set_refusing("1", true);
  listeners_["b"].set_failing("r1", true);
  write("r1", 1);
  start({"a", "b"});
  ASSERT_TRUE(eventually([&] { return counts().parked == 1 && counts().pending == 1; }));
  listeners_["b"].set_failing("r1", false);
  EXPECT_TRUE(in_time([&] { return counts().pending == 0; }));
  EXPECT_EQ(listeners_["b"].heard(), "1");
  EXPECT_EQ(counts().published, 0u);
  // Told again, it is told to the one that refused it.
  listeners_["a"].set_refusing("1", false);
  EXPECT_TRUE(publishers_->unpark("runs", {"runs/run/r1", "1"}));
  EXPECT_TRUE(hears("a", "1"));
  EXPECT_TRUE(all_published(1));
  EXPECT_EQ(listeners_["b"].heard(), "1");
}

TEST_F(PublishersTest, WhoIsTakenFromTheContractIsNotWaitedFor) {
  listeners_["b"].set_away(true);
  write("r1", 1);
  start({"a", "b"});
  EXPECT_TRUE(hears("a", "1"));
  ASSERT_TRUE(eventually([&] { return read_notes_of("r1", 1) == "a:done b:failing "; }));
  start({"a"});
  EXPECT_TRUE(all_published(1));
  EXPECT_EQ(listeners_["a"].heard(), "1");
}

TEST_F(PublishersTest, WhatWasTakenAndNotMarkedIsToldAgain) {
  listeners_["a"].set_mute(true);
  write("r1", 1);
  write("r1", 2);
  start({"a"});
  EXPECT_TRUE(hears("a", "1"));
  // It ends between the answer and the mark.
  publishers_.reset();
  reopen();
  EXPECT_EQ(row("r1", 1), R"(,"pending":{"S":"runs"})");
  listeners_["a"].set_mute(false);
  start({"a"});
  EXPECT_TRUE(hears("a", "1 1 2"));
  EXPECT_TRUE(all_published(2));
}

TEST_F(PublishersTest, WhatIsPublishedStaysSo) {
  for (int seq = 1; seq <= 30; ++seq) {
    write("r" + std::to_string(seq), seq);
  }
  start({"a"});
  ASSERT_TRUE(all_published(30));
  publishers_.reset();
  reopen();
  start({"a"});
  let_looks_pass();
  EXPECT_EQ(listeners_["a"].heard_ids().size(), 30u);
  EXPECT_EQ(counts().published, 0u);
}

TEST_F(PublishersTest, MarksTheItemOfTheOutbox) {
  ASSERT_TRUE(create(things()));
  put(R"({"id":{"S":"o1"},"status":{"S":"pending"},"payload":{"S":"x"}})");
  const auto outbox = [](const std::string& map) {
    return R"(,"pending":{"S":"runs"},"outbox":{"M":{)" + map + "}}";
  };
  write("r1", 1, outbox(R"("table":{"S":"things"},"id":{"S":"o1"})"));
  // Gone, of a table that is gone, and of another making: no reason to tell them again and again.
  write("r2", 2, outbox(R"("table":{"S":"things"},"id":{"S":"o2"})"));
  write("r3", 3, outbox(R"("table":{"S":"nothing"},"id":{"S":"o3"})"));
  write("r4", 4, outbox(R"("table":{"S":"things"},"id":{"N":"1"})"));
  start({"a", "b"});
  ASSERT_TRUE(all_published(4));
  EXPECT_EQ(get("o1"), R"({"id":{"S":"o1"},"status":{"S":"published"},"payload":{"S":"x"}})");
  EXPECT_EQ(get("o2"), "none");
}

TEST_F(PublishersTest, ParksARowThatIsNoEvent) {
  const auto text = R"({"record":{"S":"runs/run/r1"},"seq":{"N":"1"},"pending":{"S":"runs"}})";
  ASSERT_EQ(commit(action(store::ActionKind::put, text, "waybill:journal")).kind,
            store::OutcomeKind::committed);
  start({"a"});
  EXPECT_TRUE(eventually([&] { return counts().parked == 1; }));
  EXPECT_EQ(publishers_->parked("runs", 10)->front().why, "a: the row of the journal has no event");
}

TEST_F(PublishersTest, AnEventThatExpiresIsForgotten) {
  listeners_["a"].set_failing("r1", true);
  write("r1", 1, R"(,"ttl":{"N":"1800000010"},"pending":{"S":"runs"})");
  write("r1", 2);
  start({"a"});
  ASSERT_TRUE(eventually([&] { return counts().failures == 1; }));
  clock_.advance_ms(11'000);
  listeners_["a"].set_failing("r1", false);
  EXPECT_TRUE(in_time([&] { return listeners_["a"].heard() == "2"; }));
  EXPECT_EQ(row("r1", 1), "none");
}

// Random failures, refusals, unparkings and restarts: everything is told to everybody, each record's events
// in their order but for what was parked, and nothing is left.
TEST_F(PublishersTest, AllIsToldInTheEnd) {
  const auto seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  constexpr int records = 7;
  int seq = 0;
  start({"a", "b"});
  for (int step = 0; step < 150; ++step) {
    const std::string id = "r" + std::to_string(random() % records);
    auto& listener = listeners_[random() % 2 == 0 ? "a" : "b"];
    switch (random() % 8) {
      case 0:
        listener.set_failing(id, random() % 2 == 0);
        break;
      case 1:
        listener.set_away(random() % 3 == 0);
        break;
      case 2:
        clock_.advance_ms(static_cast<int64_t>(random() % 5'000));
        break;
      case 3:
        if (random() % 5 == 0) {
          publishers_.reset();
          reopen();
          start({"a", "b"});
        }
        break;
      default:
        write(id, ++seq);
        records_[seq] = id;
    }
  }
  for (const auto* name : {"a", "b"}) {
    listeners_[name].set_away(false);
    for (int i = 0; i < records; ++i) {
      listeners_[name].set_failing("r" + std::to_string(i), false);
    }
  }
  ASSERT_TRUE(in_time([&] { return counts().pending == 0; }, 600'000));
  for (const auto* name : {"a", "b"}) {
    const auto ids = listeners_[name].heard_ids();
    std::map<std::string, int> first_heard;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      first_heard.emplace(ids[i], static_cast<int>(i));
    }
    EXPECT_EQ(first_heard.size(), static_cast<std::size_t>(seq));
    EXPECT_TRUE(in_order(first_heard, seq)) << name;
  }
}

TEST_F(PublishersTest, SaysWhichVariableIsNotSet) {
  const auto deployed = contract("  - {to: webhook, url: \"http://127.0.0.1:1/\", secret_env: HOOK}\n");
  const auto started = Publishers::start({deployed}, options());
  ASSERT_FALSE(started);
  EXPECT_EQ(
      started.error().message,
      "contract runs, publish to webhook: the environment has no HOOK: set it before the server starts");
  const auto checked = Publishers::check(deployed->contract, options());
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().message, started.error().message);
  environment_["HOOK"] = "x";
  EXPECT_TRUE(Publishers::check(deployed->contract, options()));
}

TEST_F(PublishersTest, OpensEveryKindOfPlace) {
  if (!kafka_can_run) {
    GTEST_SKIP() << "ThreadSanitizer can't follow the threads of librdkafka";
  }
  environment_ = {{"HOOK", "x"}, {"AWS_ACCESS_KEY_ID", "A"}, {"AWS_SECRET_ACCESS_KEY", "B"}};
  const auto deployed = contract(
      "  - {to: webhook, url: \"http://me:pw@127.0.0.1:1/hooks/{env}?token=1\", secret_env: HOOK}\n"
      "  - {to: kafka, brokers: \"127.0.0.1:1\", topic: \"runs-{env}\"}\n"
      "  - {to: eventbridge, endpoint: \"http://127.0.0.1:1\", region: us-east-1}\n"
      "  - {to: queue, name: \"runs-{env}\"}\n");
  std::vector<std::string> names;
  for (const auto& publication : deployed->contract.publish) {
    const auto opened = open_target(deployed->contract, publication, options().tools);
    ASSERT_TRUE(opened) << opened.error().message;
    names.push_back(opened->name);
  }
  EXPECT_EQ(names,
            std::vector<std::string>({"webhook 127.0.0.1:1/hooks/dev#" + names[0].substr(names[0].size() - 8),
                                      "kafka runs-dev at 127.0.0.1:1",
                                      "eventbridge default in us-east-1 at 127.0.0.1:1", "queue runs-dev"}));
}

}  // namespace
}  // namespace waybill::event
