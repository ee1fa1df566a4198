// Which rows may be told, and which must wait.
#include "event/line.h"

#include <gtest/gtest.h>

namespace waybill::event {
namespace {

std::string taken(const Line& line, int64_t now_ms, std::size_t count_max = 10) {
  std::string text;
  for (const auto& key : line.take(now_ms, count_max)) {
    text += key.record + key.seq + " ";
  }
  return text;
}

TEST(Line, TakesOneOfEachRecordInTheOrderOfTheirArrival) {
  Line line;
  line.add({"b", "1"});
  line.add({"a", "2"});
  line.add({"b", "3"});
  EXPECT_EQ(taken(line, 0), "b1 a2 ");
  EXPECT_EQ(taken(line, 0, 1), "b1 ");
  line.over({"b", "1"});
  EXPECT_EQ(taken(line, 0), "a2 b3 ");
  line.over({"a", "2"});
  line.over({"b", "3"});
  EXPECT_EQ(taken(line, 0), "");
  EXPECT_EQ(line.rows(), 0u);
}

TEST(Line, WhatFailedWaitsAndHoldsBackItsRecord) {
  Line line;
  line.add({"a", "1"});
  line.add({"a", "2"});
  line.add({"b", "3"});
  line.failed({"a", "1"}, 100);
  line.over({"b", "3"});
  line.end_round(100);
  EXPECT_EQ(taken(line, 1'099), "");
  EXPECT_EQ(taken(line, 1'100), "a1 ");
  line.over({"a", "1"});
  EXPECT_EQ(taken(line, 1'100), "a2 ");
}

TEST(Line, NewOnesAndOldOnesTakeTurns) {
  Line line;
  for (const char* record : {"a", "b", "c"}) {
    line.add({record, "1"});
    line.failed({record, "1"}, 0);
  }
  line.add({"d", "2"});
  line.over({"d", "2"});
  line.end_round(0);
  line.add({"e", "3"});
  line.add({"f", "4"});
  EXPECT_EQ(taken(line, 1'000), "e3 a1 f4 b1 c1 ");
  EXPECT_EQ(taken(line, 1'000, 3), "e3 a1 f4 ");
}

TEST(Line, AllWaitWhereNothingNewIsTaken) {
  Line line;
  for (const char* record : {"a", "b", "c", "d", "e"}) {
    line.add({record, "1"});
  }
  line.failed({"a", "1"}, 0);
  line.end_round(0);
  EXPECT_EQ(taken(line, 999), "");
  EXPECT_FALSE(line.wants_more(999, 10));
  // A few are tried, and all wait for longer.
  EXPECT_EQ(taken(line, 1'000), "b1 a1 c1 ");
  EXPECT_FALSE(line.wants_more(1'000, 10));
  line.failed({"b", "1"}, 1'000);
  line.end_round(1'000);
  EXPECT_EQ(taken(line, 2'999), "");
  EXPECT_EQ(taken(line, 3'000), "c1 a1 d1 ");
  line.over({"c", "1"});
  line.end_round(3'000);
  EXPECT_EQ(taken(line, 3'000), "d1 a1 e1 b1 ");
  EXPECT_TRUE(line.wants_more(3'000, 10));
}

TEST(Line, ARecordThatFailsAgainAndAgainKeepsNobodyWaiting) {
  Line line;
  line.add({"a", "1"});
  line.add({"b", "2"});
  line.failed({"a", "1"}, 0);
  line.over({"b", "2"});
  line.end_round(0);
  line.failed({"a", "1"}, 1'000);
  line.end_round(1'000);
  line.add({"c", "3"});
  EXPECT_EQ(taken(line, 1'000), "c3 ");
}

TEST(Line, HasABound) {
  Line line;
  for (int i = 0; i < 10'000; ++i) {
    EXPECT_TRUE(line.wants_more(0, 10));
    line.add({"a", std::to_string(i)});
  }
  EXPECT_FALSE(line.wants_more(0, 10));
  line.clear();
  EXPECT_TRUE(line.wants_more(0, 10));
}

}  // namespace
}  // namespace waybill::event
