#include <gtest/gtest.h>

#include <thread>

#include "engine/fixture.h"

// What tables and indexes are used for: counted by the writer, kept by the minute.
namespace waybill::engine {
namespace {

using store::ActionKind;
using usage::Load;
using usage::Minute;

class UsageTest : public EngineTest {
 protected:
  using Minutes = std::vector<std::pair<int64_t, Minute>>;

  static constexpr int64_t first_minute = start_ms / usage::minute_ms;

  void SetUp() override {
    EngineTest::SetUp();
    ASSERT_TRUE(create(things()));
  }

  Minutes usage_of(table::SpaceId space) {
    struct Collect final : store::UsageVisitor {
      bool visit(int64_t minute, const Minute& used) override {
        minutes.emplace_back(minute, used);
        return true;
      }
      Minutes minutes;
    } collected;
    EXPECT_TRUE(store_->read_usage(space, {0, first_minute * 2}, collected));
    return collected.minutes;
  }

  Minutes of_table() { return usage_of(store_->find_table("things")->space); }
  Minutes of_index() { return usage_of(store_->find_table("things")->indexes.front().space); }

  // Half units: two to the unit.
  static Minute writes(uint64_t half_units, uint64_t requests) {
    return {{}, {half_units, requests, half_units}};
  }

  static std::string item(std::string_view id, std::string_view owner, std::size_t bytes = 0) {
    return R"({"id":{"S":")" + std::string(id) + R"("},"owner":{"S":")" + std::string(owner) +
           R"("},"at":{"N":"1"},"v":{"S":")" + std::string(bytes, 'x') + R"("}})";
  }
};

TEST_F(UsageTest, AWriteIsCountedForTableAndIndex) {
  put(item("a", "o"));
  EXPECT_EQ(of_table(), (Minutes{{first_minute, writes(2, 1)}}));
  EXPECT_EQ(of_index(), (Minutes{{first_minute, writes(2, 1)}}));
}

TEST_F(UsageTest, TheLargerOfBothItemsCountsAndAMovedEntryTwice) {
  put(item("a", "o", 2000));
  put(item("a", "p"));
  EXPECT_EQ(of_table(), (Minutes{{first_minute, writes(4 + 4, 2)}}));
  EXPECT_EQ(of_index(), (Minutes{{first_minute, writes(4 + (4 + 2), 2)}}));
}

TEST_F(UsageTest, AnItemThatStaysTheSameLeavesTheIndexAlone) {
  put(item("a", "o"));
  put(item("a", "o"));
  EXPECT_EQ(of_table(), (Minutes{{first_minute, writes(4, 2)}}));
  EXPECT_EQ(of_index(), (Minutes{{first_minute, writes(2, 1)}}));
}

TEST_F(UsageTest, ARemovalOfNothingIsPaidForToo) {
  EXPECT_EQ(commit(action(ActionKind::remove, R"({"id":{"S":"none"}})")).kind, store::OutcomeKind::committed);
  EXPECT_EQ(of_table(), (Minutes{{first_minute, writes(2, 1)}}));
  EXPECT_TRUE(of_index().empty());
}

TEST_F(UsageTest, AFailedConditionIsPaidForByTheItemThatIsThere) {
  put(item("a", "o", 3000));
  auto refused = action(ActionKind::remove, R"({"id":{"S":"a"}})");
  refused.condition = condition("attribute_not_exists(id)");
  EXPECT_EQ(commit(std::move(refused)).kind, store::OutcomeKind::refused);
  EXPECT_EQ(of_table(), (Minutes{{first_minute, writes(6 + 6, 2)}}));
}

TEST_F(UsageTest, TransactionsCountDoubleForTheTableAndOnceForTheIndex) {
  store::Transaction transaction;
  transaction.costs_double = true;
  transaction.token = {"token", "same"};
  transaction.actions.push_back(action(ActionKind::put, item("a", "o")));
  transaction.actions.push_back(action(ActionKind::put, item("b", "o")));
  auto again = transaction;
  EXPECT_EQ(commit(std::move(transaction)).kind, store::OutcomeKind::committed);
  EXPECT_EQ(of_index(), (Minutes{{first_minute, writes(4, 2)}}));
  EXPECT_EQ(commit(std::move(again)).kind, store::OutcomeKind::repeated);
  EXPECT_EQ(of_table(), (Minutes{{first_minute, {{8, 2, 8}, {8, 2, 8}}}}));
}

TEST_F(UsageTest, ReadsAreCountedByThoseWhoAnswerThem) {
  store_->meter().add({store_->find_table("things")->space, usage::Kind::read, 3});
  EXPECT_EQ(of_table(), (Minutes{{first_minute, {{3, 1, 3}, {}}}}));
}

TEST_F(UsageTest, MinutesAreWrittenDownByThemselvesAndSurviveARestart) {
  put(item("a", "o"));
  clock_.advance_ms(usage::minute_ms);
  put(item("b", "o"));
  reopen();
  put(item("c", "o"));
  const Minutes expected = {{first_minute, writes(2, 1)}, {first_minute + 1, {{}, {4, 2, 2}}}};
  EXPECT_EQ(of_table(), expected);
  EXPECT_EQ(of_index(), expected);
}

// What is taken twice in one minute adds up.
TEST_F(UsageTest, ReadingInTheMiddleOfAMinuteLosesNothing) {
  for (int i = 0; i < 5; ++i) {
    put(item(std::to_string(i), "o"));
    EXPECT_EQ(of_table().front().second.writes.half_units, 2U * static_cast<unsigned>(i + 1));
  }
}

TEST_F(UsageTest, GoesWithItsTable) {
  put(item("a", "o"));
  const auto old_space = store_->find_table("things")->space;
  ASSERT_EQ(usage_of(old_space).size(), 1U);
  put(item("b", "o"));  // not written down when the table goes
  std::promise<Result<table::TablePtr>> done;
  store_->delete_table(
      "things", [](const table::Table&) { return Status(); },
      [&](Result<table::TablePtr> gone) { done.set_value(std::move(gone)); });
  ASSERT_TRUE(done.get_future().get());
  ASSERT_TRUE(create(things()));
  EXPECT_TRUE(usage_of(old_space).empty());
  EXPECT_TRUE(of_table().empty());
  put(item("a", "o"));
  EXPECT_EQ(of_table(), (Minutes{{first_minute, writes(2, 1)}}));
}

TEST_F(UsageTest, GoesWithItsIndex) {
  put(item("a", "o"));
  const auto space = store_->find_table("things")->indexes.front().space;
  ASSERT_EQ(usage_of(space).size(), 1U);
  ASSERT_TRUE(change("things", [](const table::Table& table) -> Result<table::Table> {
    auto next = table;
    next.indexes.clear();
    return next;
  }));
  EXPECT_TRUE(usage_of(space).empty());
  EXPECT_EQ(of_table().size(), 1U);
}

TEST_F(UsageTest, IsTrimmedToTheDaysThatAreKept) {
  put(item("a", "o"));
  ASSERT_EQ(of_table().size(), 1U);
  clock_.advance_ms(36 * usage::minutes_a_day * usage::minute_ms);
  put(item("b", "o"));
  for (int i = 0; i < 500 && of_table().size() > 1; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(of_table().size(), 1U);
  EXPECT_EQ(of_table().front().first, first_minute + 36 * usage::minutes_a_day);
  EXPECT_EQ(of_index().size(), 1U);
}

// Expired items are removed at no cost.
TEST_F(UsageTest, SweepsAreFree) {
  ASSERT_TRUE(change("things", [](const table::Table& table) -> Result<table::Table> {
    auto next = table;
    next.ttl.attribute = "at";
    return next;
  }));
  put(item("a", "o").replace(item("a", "o").find(R"("N":"1")"), 7, R"("N":"1800000100")"));
  clock_.advance_ms(200'000);
  for (int i = 0; i < 500 && stats().items > 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(stats().items, 0);
  EXPECT_EQ(of_table(), (Minutes{{first_minute, writes(2, 1)}}));
}

}  // namespace
}  // namespace waybill::engine
