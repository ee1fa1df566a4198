#include "base/burst.h"

#include <gtest/gtest.h>

#include <string>

namespace waybill {
namespace {

void hand_out(std::string& told, char piece) {
  told.push_back(piece);
  if (Burst* const burst = Burst::current()) {
    burst->at_end([&told, piece] { told += std::string("!") + piece; });
  } else {
    told.push_back('!');
  }
}

TEST(Burst, WakesAtTheEndInTheOrderOfThePieces) {
  std::string told;
  {
    const Burst burst;
    hand_out(told, 'a');
    hand_out(told, 'b');
    EXPECT_EQ(told, "ab");
  }
  EXPECT_EQ(told, "ab!a!b");
}

TEST(Burst, OutsideOfOneNothingIsLeftForLater) {
  std::string told;
  hand_out(told, 'a');
  EXPECT_EQ(told, "a!");
  EXPECT_EQ(Burst::current(), nullptr);
}

TEST(Burst, AnInnerOneWakesAtItsOwnEndAndTheOuterOneGoesOn) {
  std::string told;
  {
    const Burst outer;
    hand_out(told, 'a');
    {
      const Burst inner;
      hand_out(told, 'b');
    }
    hand_out(told, 'c');
    EXPECT_EQ(told, "ab!bc");
  }
  EXPECT_EQ(told, "ab!bc!a!c");
}

// Whoever is woken may run at once and hand out more: there is no stretch for it any more.
TEST(Burst, WhatIsHandedOutByAWakeGoesAtOnce) {
  std::string told;
  {
    Burst burst;
    burst.at_end([&told] { hand_out(told, 'x'); });
  }
  EXPECT_EQ(told, "x!");
}

}  // namespace
}  // namespace waybill
