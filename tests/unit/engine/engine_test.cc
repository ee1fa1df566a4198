#include "engine/engine.h"

#include <gtest/gtest.h>

#include <thread>

#include "engine/fixture.h"

namespace waybill::engine {
namespace {

using store::ActionKind;
using store::OutcomeKind;

TEST_F(EngineTest, KeepsItemsAcrossARestart) {
  ASSERT_TRUE(create(things()));
  put(R"({"id":{"S":"a"},"v":{"N":"1"}})");
  put(R"({"id":{"S":"a"},"v":{"N":"2"}})");
  EXPECT_EQ(get("a"), R"({"id":{"S":"a"},"v":{"N":"2"}})");
  reopen();
  EXPECT_EQ(get("a"), R"({"id":{"S":"a"},"v":{"N":"2"}})");
  EXPECT_EQ(get("b"), "none");
}

TEST_F(EngineTest, ATableIsMadeOnce) {
  ASSERT_TRUE(create(things()));
  const auto again = create(things());
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().kind, ErrorKind::in_use);
}

TEST_F(EngineTest, ADeletedTableIsGoneAndItsNameIsFree) {
  ASSERT_TRUE(create(things()));
  put(R"({"id":{"S":"a"}})");
  std::promise<void> done;
  store_->delete_table(
      "things", [](const table::Table&) { return Status(); },
      [&](Result<table::TablePtr>) { done.set_value(); });
  done.get_future().wait();
  EXPECT_EQ(store_->find_table("things"), nullptr);
  ASSERT_TRUE(create(things()));
  EXPECT_EQ(get("a"), "none");
  EXPECT_EQ(stats().items, 0);
}

// P6: of many who race for one record exactly one wins.
TEST_F(EngineTest, OneOfManyRacersWins) {
  ASSERT_TRUE(create(things()));
  put(R"({"id":{"S":"job"},"s":{"S":"QUEUED"}})");
  constexpr int racers = 64;
  std::atomic<int> won{0};
  std::atomic<int> lost{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < racers / 4; ++i) {
        auto claim = action(ActionKind::update, R"({"id":{"S":"job"}})");
        claim.update = update("SET s = :n", R"({":n":{"S":"PROCESSING"}})");
        claim.condition = condition("s = :e", R"({":e":{"S":"QUEUED"}})");
        const auto outcome = commit(std::move(claim));
        outcome.kind == OutcomeKind::committed ? ++won : ++lost;
        if (outcome.kind != OutcomeKind::committed) {
          EXPECT_EQ(outcome.results[0].refusal->kind, ErrorKind::condition_failed);
        }
      }
    });
  }
  for (auto& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(won, 1);
  EXPECT_EQ(lost, racers - 1);
}

TEST_F(EngineTest, ATransactionAppliesAllOrNothing) {
  ASSERT_TRUE(create(things()));
  put(R"({"id":{"S":"a"},"v":{"N":"1"}})");
  store::Transaction transaction;
  transaction.actions.push_back(action(ActionKind::put, R"({"id":{"S":"b"}})"));
  transaction.actions.push_back(action(ActionKind::put, R"({"id":{"S":"a"}})"));
  transaction.actions[1].condition = condition("attribute_not_exists(id)");
  transaction.actions[1].wants_item_on_failure = true;
  const auto outcome = commit(std::move(transaction));
  EXPECT_EQ(outcome.kind, OutcomeKind::refused);
  EXPECT_FALSE(outcome.results[0].refusal);
  ASSERT_TRUE(outcome.results[1].refusal);
  EXPECT_EQ(json_of(outcome.results[1].before->view()), R"({"id":{"S":"a"},"v":{"N":"1"}})");
  EXPECT_EQ(get("b"), "none");
}

TEST_F(EngineTest, ATokenMakesATransactionHappenOnce) {
  ASSERT_TRUE(create(things()));
  put(R"({"id":{"S":"n"},"v":{"N":"0"}})");
  const auto increment = [&](std::string fingerprint) {
    store::Transaction transaction;
    transaction.actions.push_back(action(ActionKind::update, R"({"id":{"S":"n"}})"));
    transaction.actions[0].update = update("ADD v :one", R"({":one":{"N":"1"}})");
    transaction.token = store::RequestToken{"token", std::move(fingerprint)};
    return commit(std::move(transaction));
  };
  EXPECT_EQ(increment("f").kind, OutcomeKind::committed);
  EXPECT_EQ(increment("f").kind, OutcomeKind::repeated);
  reopen();
  EXPECT_EQ(increment("f").kind, OutcomeKind::repeated);
  EXPECT_EQ(get("n"), R"({"id":{"S":"n"},"v":{"N":"1"}})");
  const auto other = increment("g");
  EXPECT_EQ(other.kind, OutcomeKind::failed);
  EXPECT_EQ(other.error->kind, ErrorKind::token_mismatch);
  clock_.advance_ms(10 * 60 * 1000 - 1);
  EXPECT_EQ(increment("f").kind, OutcomeKind::repeated);
  clock_.advance_ms(1);
  EXPECT_EQ(increment("f").kind, OutcomeKind::committed);
}

TEST_F(EngineTest, IndexesFollowTheItems) {
  ASSERT_TRUE(create(things()));
  put(R"({"id":{"S":"a"},"owner":{"S":"o"},"at":{"N":"2"}})");
  put(R"({"id":{"S":"b"},"owner":{"S":"o"},"at":{"N":"-1"}})");
  put(R"({"id":{"S":"c"},"owner":{"S":"o"}})");
  EXPECT_EQ(all("by_owner"),
            (std::vector<std::string>{R"({"id":{"S":"b"},"owner":{"S":"o"},"at":{"N":"-1"}})",
                                      R"({"id":{"S":"a"},"owner":{"S":"o"},"at":{"N":"2"}})"}));
  put(R"({"id":{"S":"a"},"owner":{"S":"o"},"at":{"N":"-3"}})");
  commit(action(ActionKind::remove, R"({"id":{"S":"b"}})"));
  EXPECT_EQ(all("by_owner"),
            std::vector<std::string>{R"({"id":{"S":"a"},"owner":{"S":"o"},"at":{"N":"-3"}})"});
  EXPECT_EQ(stats("by_owner").items, 1);
  EXPECT_EQ(stats().items, 2);
}

// P7, I7: exact at read time and in conditions, swept soon after.
// An index that keeps all attributes holds only keys: entry and item are read as of the same moment.
TEST_F(EngineTest, AnIndexShowsItemsAsOfOneMomentWhileTheyMove) {
  ASSERT_TRUE(create(things()));
  constexpr int count = 100;  // more than one group
  const auto move_all = [&](std::string_view owner, int round) {
    store::Transaction transaction;
    for (int i = 0; i < count; ++i) {
      transaction.actions.push_back(
          action(ActionKind::put, R"({"id":{"S":"i)" + std::to_string(i) + R"("},"owner":{"S":")" +
                                      std::string(owner) + R"("},"at":{"N":")" + std::to_string(i) +
                                      R"("},"round":{"N":")" + std::to_string(round) + R"("}})"));
    }
    ASSERT_EQ(commit(std::move(transaction)).kind, OutcomeKind::committed);
  };
  move_all("ann", 0);

  class Check final : public store::Visitor {
   public:
    bool visit(std::string_view /*key*/, item::ItemView item, uint32_t /*size_bytes*/) override {
      ++seen;
      const std::string round(item.find("round")->bytes());
      wrong += item.find("owner")->bytes() != owner || (seen > 1 && round != first_round);
      first_round = round;
      return true;
    }
    std::string owner;
    std::string first_round;
    int seen = 0;
    int wrong = 0;
  };
  std::atomic<bool> done{false};
  std::atomic<int> wrong{0};
  std::atomic<int> reads{0};
  std::vector<std::thread> readers;
  for (const char* owner : {"ann", "bob"}) {
    readers.emplace_back([&, owner] {
      while (!done || reads < 20) {
        const auto table = store_->find_table("things");
        store::Range range;
        range.table = table;
        range.index = &table->indexes.front();
        range.forward = *owner == 'a';
        table::append_partition(
            range.begin, item_of(R"({"o":{"S":")" + std::string(owner) + R"("}})").view().find("o").value());
        range.end = table::after_prefix(range.begin);
        Check check;
        check.owner = owner;
        wrong += !store_->read(range, check);
        // All of them are with one owner at any moment.
        wrong += check.wrong + (check.seen != 0 && check.seen != count);
        ++reads;
      }
    });
  }
  for (int round = 1; round <= 200; ++round) {
    move_all(round % 2 == 0 ? "ann" : "bob", round);
  }
  done = true;
  for (auto& reader : readers) {
    reader.join();
  }
  EXPECT_EQ(wrong, 0);
}

TEST_F(EngineTest, TransactionsCommittedTogetherAreEachTheirOwn) {
  ASSERT_TRUE(create(things()));
  put(R"({"id":{"S":"a"}})");
  std::vector<store::Transaction> transactions(3);
  transactions[0].actions.push_back(action(ActionKind::put, R"({"id":{"S":"b"}})"));
  transactions[1].actions.push_back(action(ActionKind::put, R"({"id":{"S":"a"},"v":{"N":"1"}})"));
  transactions[1].actions.front().condition = condition("attribute_not_exists(id)");
  transactions[2].actions.push_back(action(ActionKind::put, R"({"id":{"S":"b"},"v":{"N":"2"}})"));
  std::promise<std::vector<store::Outcome>> done;
  auto result = done.get_future();
  store_->commit_each(std::move(transactions),
                      [&](std::vector<store::Outcome> outcomes) { done.set_value(std::move(outcomes)); });
  const auto outcomes = result.get();
  ASSERT_EQ(outcomes.size(), 3U);
  EXPECT_EQ(outcomes[0].kind, OutcomeKind::committed);
  EXPECT_EQ(outcomes[1].kind, OutcomeKind::refused);
  EXPECT_EQ(outcomes[2].kind, OutcomeKind::committed);
  EXPECT_EQ(get("a"), R"({"id":{"S":"a"}})");
  EXPECT_EQ(get("b"), R"({"id":{"S":"b"},"v":{"N":"2"}})");
}

TEST_F(EngineTest, AnExpiredItemIsGoneAtOnceAndSweptSoon) {
  auto table = things();
  table.ttl.attribute = "ttl";
  table.indexes[0].projection.kind = table::ProjectionKind::keys_only;
  ASSERT_TRUE(create(std::move(table)));
  const std::string expiring = R"({"id":{"S":"a"},"owner":{"S":"o"},"at":{"N":"1"},"ttl":{"N":")" +
                               std::to_string(start_ms / 1000 + 60) + R"("}})";
  put(expiring);
  EXPECT_EQ(get("a"), expiring);
  EXPECT_EQ(all("by_owner").size(), 1U);
  clock_.advance_ms(60'000);
  EXPECT_EQ(get("a"), "none");
  EXPECT_TRUE(all().empty());
  EXPECT_TRUE(all("by_owner").empty()) << "also where the index does not keep the attribute";
  EXPECT_TRUE(eventually([&] { return stats().items == 0 && stats("by_owner").items == 0; }));

  put(expiring);
  auto fresh = action(ActionKind::put, R"({"id":{"S":"a"},"v":{"S":"new"}})");
  fresh.condition = condition("attribute_not_exists(id)");
  fresh.wants_before = true;
  const auto outcome = commit(std::move(fresh));
  EXPECT_EQ(outcome.kind, OutcomeKind::committed) << "conditions do not see it either";
  EXPECT_FALSE(outcome.results[0].before);
}

// Without an expiry index: more than one round of the walk comes by, with items between that stay.
TEST_F(EngineTest, AWalkSweepsExpiredItemsToo) {
  auto table = things();
  table.ttl.attribute = "ttl";
  table.ttl.is_walked = true;
  ASSERT_TRUE(create(std::move(table)));
  constexpr int items = 7'000;
  constexpr int lasting = 7;  // each so manieth stays
  for (int i = 0; i < items; i += 100) {
    store::Transaction transaction;
    for (int j = i; j < i + 100; ++j) {
      const int64_t life_s = j % lasting == 0 ? 1'000'000 : 60;
      transaction.actions.push_back(
          action(ActionKind::put, R"({"id":{"S":")" + std::to_string(j) + R"("},"ttl":{"N":")" +
                                      std::to_string(start_ms / 1000 + life_s) + R"("}})"));
    }
    ASSERT_EQ(commit(std::move(transaction)).kind, OutcomeKind::committed);
  }
  EXPECT_NE(get("1"), "none");
  clock_.advance_ms(60'000);
  EXPECT_EQ(get("1"), "none") << "nobody sees it from then on";
  EXPECT_NE(get("7"), "none");
  reopen();
  EXPECT_TRUE(store_->find_table("things")->ttl.is_walked);
  EXPECT_TRUE(eventually([&] { return stats().items == items / lasting; })) << stats().items;
  put(R"({"id":{"S":"late"},"ttl":{"N":")" + std::to_string(clock_.wall_ms() / 1000 + 60) + R"("}})");
  clock_.advance_ms(60LL * 60 * 1000);
  EXPECT_TRUE(eventually([&] { return stats().items == items / lasting; })) << "the walk comes by again";
}

TEST_F(EngineTest, TimeToLiveSwitchedOnLaterFindsOlderItems) {
  ASSERT_TRUE(create(things()));
  for (int i = 0; i < 1000; ++i) {
    put(R"({"id":{"S":")" + std::to_string(i) + R"("},"ttl":{"N":"1799999999"}})");
  }
  ASSERT_TRUE(change("things", [](const table::Table& before) -> Result<table::Table> {
    auto after = before;
    after.ttl.attribute = "ttl";
    return after;
  }));
  EXPECT_TRUE(all().empty());
  EXPECT_TRUE(eventually([&] { return stats().items == 0; }));
}

TEST_F(EngineTest, AnIndexAddedLaterIsFilledAlsoAcrossRestarts) {
  auto table = things();
  table.indexes.clear();
  ASSERT_TRUE(create(std::move(table)));
  constexpr int items = 3000;
  for (int i = 0; i < items; i += 100) {
    store::Transaction transaction;
    for (int k = i; k < i + 100; ++k) {
      transaction.actions.push_back(action(ActionKind::put, R"({"id":{"S":")" + std::to_string(k) +
                                                                R"("},"owner":{"S":"o"},"at":{"N":")" +
                                                                std::to_string(k) + R"("}})"));
    }
    commit(std::move(transaction));
  }
  ASSERT_TRUE(change("things", [](const table::Table& before) -> Result<table::Table> {
    auto after = before;
    after.indexes.push_back(by_owner());
    return after;
  }));
  for (int i = 0; i < items; i += 7) {
    commit(action(ActionKind::remove, R"({"id":{"S":")" + std::to_string(i) + R"("}})"));
    if (i % 700 == 0) {
      reopen();
    }
  }
  ASSERT_TRUE(eventually([&] { return !store_->find_table("things")->find_index("by_owner")->backfilling; }));
  const auto left = static_cast<int64_t>(items - (items + 6) / 7);
  EXPECT_EQ(stats().items, left);
  EXPECT_EQ(stats("by_owner").items, left);
  EXPECT_EQ(static_cast<int64_t>(all("by_owner").size()), left);
}

TEST_F(EngineTest, ADroppedIndexIsGone) {
  ASSERT_TRUE(create(things()));
  put(R"({"id":{"S":"a"},"owner":{"S":"o"},"at":{"N":"2"}})");
  const auto space = store_->find_table("things")->indexes[0].space;
  ASSERT_TRUE(change("things", [](const table::Table& before) -> Result<table::Table> {
    auto after = before;
    after.indexes.clear();
    return after;
  }));
  EXPECT_EQ(store_->find_table("things")->find_index("by_owner"), nullptr);
  EXPECT_EQ(store_->stats(space).items, 0);
  put(R"({"id":{"S":"a"},"owner":{"S":"o"},"at":{"N":"3"}})");
}

}  // namespace
}  // namespace waybill::engine
