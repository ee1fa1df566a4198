// Alarms from a look to the one who is told, with a webhook that fails, and over restarts.
#include "alarm/alarms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "store/fake_store.h"

namespace waybill::alarm {
namespace {

constexpr int64_t day_ms = int64_t{24} * 60 * 60 * 1000;

// What was told, and how the other side is.
class Listener {
 public:
  PostOutcome take(const Notice& notice) {
    const std::lock_guard lock(mutex_);
    ++attempts_;
    if (mood_ == Posted::taken) {
      heard_ += (notice.change.raised ? "+" : "-") + notice.change.subject.queue + " ";
      ids_.push_back(notice.id);
    }
    return {mood_, "as told"};
  }
  void set_mood(Posted mood) {
    const std::lock_guard lock(mutex_);
    mood_ = mood;
  }
  std::string heard() {
    const std::lock_guard lock(mutex_);
    return heard_;
  }
  std::vector<std::string> ids() {
    const std::lock_guard lock(mutex_);
    return ids_;
  }
  int attempts() {
    const std::lock_guard lock(mutex_);
    return attempts_;
  }

 private:
  std::mutex mutex_;
  Posted mood_ = Posted::taken;
  std::string heard_;
  std::vector<std::string> ids_;
  int attempts_ = 0;
};

class FakePoster final : public Poster {
 public:
  explicit FakePoster(Listener& listener) : listener_(listener) {}
  PostOutcome post(const Notice& notice) override { return listener_.take(notice); }
  void interrupt() override {}

 private:
  Listener& listener_;
};

class AlarmsTest : public testing::Test {
 protected:
  void SetUp() override {
    set_visible("jobs", 0);
    open();
  }
  void TearDown() override { alarms_.reset(); }

  void open() {
    alarms_.reset();
    Alarms::Options options;
    options.clock = &clock_;
    options.entropy = &entropy_;
    options.defaults.depth = 10;
    options.look_interval_ms = 2;
    auto opened = Alarms::open(store_, options, std::make_unique<FakePoster>(listener_));
    ASSERT_TRUE(opened);
    alarms_ = *std::move(opened);
  }
  void set_visible(const std::string& queue, int64_t visible) {
    store_.fake_queues().set_visible(queue, visible);
  }
  template <typename Condition>
  static bool eventually(Condition condition) {
    for (int i = 0; i < 5'000; ++i) {
      if (condition()) {
        return true;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
  }
  bool hears(const std::string& all) {
    return eventually([&] { return listener_.heard() == all; });
  }
  // Long enough for some looks.
  static void let_looks_pass() { std::this_thread::sleep_for(std::chrono::milliseconds(50)); }

  ManualClock clock_{int64_t{20'000} * day_ms};
  SystemEntropy entropy_;
  store::FakeStore store_;
  Listener listener_;
  std::unique_ptr<Alarms> alarms_;
};

TEST_F(AlarmsTest, TellsOnceWhenItBeginsAndOnceWhenItEnds) {
  set_visible("jobs", 11);
  EXPECT_TRUE(hears("+jobs "));
  EXPECT_EQ(alarms_->raised(), std::vector<Subject>({{"jobs", Kind::depth}}));
  set_visible("jobs", 25);
  let_looks_pass();
  EXPECT_EQ(listener_.heard(), "+jobs ");
  set_visible("jobs", 10);
  EXPECT_TRUE(hears("+jobs -jobs "));
  let_looks_pass();
  EXPECT_EQ(listener_.heard(), "+jobs -jobs ");
  EXPECT_TRUE(alarms_->raised().empty());
  EXPECT_TRUE(eventually([&] { return store_.notes("alarm/")->empty(); }));
}

TEST_F(AlarmsTest, ARestartNeitherRepeatsNorForgets) {
  set_visible("jobs", 11);
  ASSERT_TRUE(hears("+jobs "));
  ASSERT_TRUE(eventually([&] { return alarms_->untold() == 0; }));
  open();
  let_looks_pass();
  EXPECT_EQ(listener_.heard(), "+jobs ");
  EXPECT_EQ(alarms_->raised().size(), 1u);
  alarms_.reset();
  set_visible("jobs", 1);
  open();
  EXPECT_TRUE(hears("+jobs -jobs "));
}

TEST_F(AlarmsTest, AQueueThatIsDeletedHasNoAlarm) {
  set_visible("jobs", 11);
  ASSERT_TRUE(hears("+jobs "));
  store_.fake_queues().drop("jobs");
  EXPECT_TRUE(hears("+jobs -jobs "));
}

TEST_F(AlarmsTest, WhatCouldNotBeToldIsToldLaterInOrder) {
  listener_.set_mood(Posted::failed);
  set_visible("jobs", 11);
  ASSERT_TRUE(eventually([&] { return listener_.attempts() > 0; }));
  clock_.advance_ms(1);
  set_visible("jobs", 0);
  ASSERT_TRUE(eventually([&] { return alarms_->untold() == 2; }));
  EXPECT_EQ(listener_.heard(), "");
  // The notices are in the store, so a restart in between changes nothing.
  alarms_.reset();
  listener_.set_mood(Posted::taken);
  open();
  EXPECT_TRUE(hears("+jobs -jobs "));
  const auto ids = listener_.ids();
  EXPECT_TRUE(std::is_sorted(ids.begin(), ids.end()));
  EXPECT_TRUE(eventually([&] { return store_.notes("alarm/")->empty(); }));
}

TEST_F(AlarmsTest, TriesAgainByItself) {
  listener_.set_mood(Posted::failed);
  set_visible("jobs", 11);
  ASSERT_TRUE(eventually([&] { return listener_.attempts() > 0; }));
  listener_.set_mood(Posted::taken);
  EXPECT_TRUE(hears("+jobs "));
}

TEST_F(AlarmsTest, GivesUpAfterADay) {
  listener_.set_mood(Posted::failed);
  set_visible("jobs", 11);
  ASSERT_TRUE(eventually([&] { return listener_.attempts() > 0; }));
  clock_.advance_ms(day_ms + 1);
  EXPECT_TRUE(eventually([&] { return alarms_->untold() == 0; }));
  EXPECT_EQ(listener_.heard(), "");
  EXPECT_EQ(alarms_->raised().size(), 1u);
}

TEST_F(AlarmsTest, ARefusalIsNotTriedAgain) {
  listener_.set_mood(Posted::refused);
  set_visible("jobs", 11);
  ASSERT_TRUE(eventually([&] { return listener_.attempts() == 1; }));
  EXPECT_TRUE(eventually([&] { return alarms_->untold() == 0; }));
  listener_.set_mood(Posted::taken);
  set_visible("jobs", 0);
  EXPECT_TRUE(hears("-jobs "));
}

}  // namespace
}  // namespace waybill::alarm
