#include "usage/meter.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <thread>

namespace waybill::usage {
namespace {

constexpr int64_t start_ms = 1'000 * minute_ms;

class MeterTest : public testing::Test {
 protected:
  ManualClock clock_{start_ms};
  Meter meter_{clock_};
};

TEST_F(MeterTest, AMinuteIsTakenOnceItIsOver) {
  meter_.add({7, Kind::read, 1});
  meter_.add({7, Kind::write, 4});
  EXPECT_TRUE(meter_.take_finished().empty());
  clock_.advance_ms(minute_ms);
  const auto taken = meter_.take_finished();
  ASSERT_EQ(taken.size(), 1U);
  EXPECT_EQ(taken[0].space, 7U);
  EXPECT_EQ(taken[0].minute, 1000);
  EXPECT_EQ(taken[0].used, (Minute{{1, 1, 1}, {4, 1, 4}}));
  EXPECT_TRUE(meter_.take_finished().empty());
  EXPECT_TRUE(meter_.take_all().empty());
}

TEST_F(MeterTest, ThePeakIsTheSecondThatUsedMost) {
  for (const uint64_t half_units : {2, 3, 10, 1}) {
    meter_.add({7, Kind::read, half_units});
    meter_.add({7, Kind::read, half_units});
    clock_.advance_ms(1000);
  }
  const auto taken = meter_.take_all();
  ASSERT_EQ(taken.size(), 1U);
  EXPECT_EQ(taken[0].used.reads, (Load{32, 8, 20}));
}

TEST_F(MeterTest, MinutesAndSpacesAreKeptApart) {
  meter_.add({7, Kind::read, 1});
  meter_.add({8, Kind::read, 2});
  clock_.advance_ms(minute_ms);
  const Use uses[] = {{7, Kind::write, 6}, {8, Kind::write, 8}, {8, Kind::write, 8}};
  meter_.add(uses);
  const auto first = meter_.take_finished();
  ASSERT_EQ(first.size(), 2U);
  EXPECT_EQ(first[1].used, (Minute{{2, 1, 2}, {}}));
  const auto second = meter_.take_all();
  ASSERT_EQ(second.size(), 2U);
  EXPECT_EQ(second[0].minute, 1001);
  EXPECT_EQ(second[1].used, (Minute{{}, {16, 2, 16}}));
}

TEST_F(MeterTest, AClockThatIsSetBackLosesNothing) {
  meter_.add({7, Kind::read, 1});
  clock_.advance_ms(-60 * minute_ms);
  meter_.add({7, Kind::read, 2});
  EXPECT_TRUE(meter_.take_finished().empty());
  const auto taken = meter_.take_all();
  ASSERT_EQ(taken.size(), 2U);
  EXPECT_EQ(taken[0].minute, 940);
  EXPECT_EQ(taken[1].used.reads.half_units, 1U);
}

TEST_F(MeterTest, ManySpacesFitInOneSecond) {
  for (table::SpaceId space = 1; space <= 5000; ++space) {
    meter_.add({space, Kind::write, space});
  }
  const auto taken = meter_.take_all();
  ASSERT_EQ(taken.size(), 5000U);
  for (const auto& one : taken) {
    EXPECT_EQ(one.used.writes.half_units, one.space);
  }
}

// More threads than shards, and one that takes all the while.
TEST_F(MeterTest, ThreadsLoseNothing) {
  constexpr int threads_count = 80;
  constexpr int adds = 2000;
  std::atomic<bool> over{false};
  std::map<table::SpaceId, uint64_t> sums;
  std::thread taker([&] {
    while (!over) {
      clock_.advance_ms(700);
      for (const auto& one : meter_.take_finished()) {
        sums[one.space] += one.used.reads.half_units;
      }
    }
  });
  std::vector<std::thread> threads;
  for (int i = 0; i < threads_count; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < adds; ++j) {
        meter_.add({static_cast<table::SpaceId>(1 + j % 3), Kind::read, 1});
      }
    });
  }
  for (auto& thread : threads) {
    thread.join();
  }
  over = true;
  taker.join();
  for (const auto& one : meter_.take_all()) {
    sums[one.space] += one.used.reads.half_units;
  }
  EXPECT_EQ(sums[1] + sums[2] + sums[3], uint64_t{threads_count} * adds);
}

}  // namespace
}  // namespace waybill::usage
