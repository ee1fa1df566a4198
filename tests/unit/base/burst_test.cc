#include "base/burst.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <string>

namespace waybill {
namespace {

class Listener final : public Burst::Sleeper {
 public:
  explicit Listener(std::function<void()> on_wake) : on_wake_(std::move(on_wake)) {}
  void wake() override { on_wake_(); }

 private:
  std::function<void()> on_wake_;
};

class BurstTest : public ::testing::Test {
 protected:
  // Hands out a piece, and notes when its taker is woken.
  void hand_out(char piece) {
    told_.push_back(piece);
    listeners_.emplace_back([this, piece] { told_ += std::string("!") + piece; });
    Burst::wake(listeners_.back());
  }

  std::string told_;
  std::deque<Listener> listeners_;
};

TEST_F(BurstTest, WakesAtTheEndInTheOrderOfThePieces) {
  {
    const Burst burst;
    hand_out('a');
    hand_out('b');
    EXPECT_EQ(told_, "ab");
  }
  EXPECT_EQ(told_, "ab!a!b");
}

TEST_F(BurstTest, OutsideOfOneTheyAreWokenAtOnce) {
  hand_out('a');
  EXPECT_EQ(told_, "a!a");
}

TEST_F(BurstTest, AnInnerOneWakesAtItsOwnEndAndTheOuterOneGoesOn) {
  {
    const Burst outer;
    hand_out('a');
    {
      const Burst inner;
      hand_out('b');
    }
    hand_out('c');
    EXPECT_EQ(told_, "ab!bc");
  }
  EXPECT_EQ(told_, "ab!bc!a!c");
}

// Whoever is woken may run at once and hand out more: there is no stretch for it any more.
TEST_F(BurstTest, WhatIsHandedOutByAWakeGoesAtOnce) {
  Listener listener([this] { hand_out('x'); });
  {
    const Burst burst;
    Burst::wake(listener);
  }
  EXPECT_EQ(told_, "x!x");
}

TEST_F(BurstTest, BeyondItsRoomTheyAreWokenAtOnce) {
  {
    const Burst burst;
    for (int i = 0; i < 16; ++i) {
      hand_out('a');
    }
    EXPECT_EQ(told_.find('!'), std::string::npos);
    hand_out('b');
    EXPECT_TRUE(told_.ends_with("b!b"));
  }
  EXPECT_EQ(std::count(told_.begin(), told_.end(), '!'), 17);
}

TEST_F(BurstTest, KeepsThoseItIsGivenUntilTheyAreWoken) {
  auto listener = std::make_shared<Listener>([this] { told_ += "woken"; });
  const std::weak_ptr<Listener> watched = listener;
  {
    const Burst burst;
    Burst::wake(std::move(listener));
    EXPECT_FALSE(watched.expired());
  }
  EXPECT_EQ(told_, "woken");
  EXPECT_TRUE(watched.expired());
}

}  // namespace
}  // namespace waybill
