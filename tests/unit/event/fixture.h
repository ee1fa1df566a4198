#pragma once

#include <gtest/gtest.h>

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "contract/reader.h"
#include "engine/queue_fixture.h"
#include "event/publishers.h"
#include "rules/system_tables.h"

namespace waybill::event {

// Whether librdkafka can run: it starts its threads with thrd_create, which ThreadSanitizer does not see, and
// falls over.
#if __has_feature(thread_sanitizer)
inline constexpr bool kafka_can_run = false;
#else
inline constexpr bool kafka_can_run = true;
#endif

// The other side of a target, as a test wants it to be.
class Listener {
 public:
  // One event. "failed" and "refused" are said of records or ids that are on the lists.
  Delivery take(const Event& event) {
    const std::lock_guard lock(mutex_);
    ++attempts_[event.id];
    if (away_ || failing_.contains(event.subject)) {
      return {Told::failed, "as told"};
    }
    if (refusing_.contains(event.id)) {
      return {Told::refused, "no such thing"};
    }
    heard_.push_back(event.id);
    return {};
  }
  void set_away(bool away) {
    const std::lock_guard lock(mutex_);
    away_ = away;
  }
  void set_failing(const std::string& subject, bool failing) {
    const std::lock_guard lock(mutex_);
    failing ? (void)failing_.insert(subject) : (void)failing_.erase(subject);
  }
  void set_refusing(const std::string& id, bool refusing) {
    const std::lock_guard lock(mutex_);
    refusing ? (void)refusing_.insert(id) : (void)refusing_.erase(id);
  }
  // Ids in the order in which they were taken, with blanks between.
  std::string heard() {
    const std::lock_guard lock(mutex_);
    std::string all;
    for (const auto& id : heard_) {
      all += (all.empty() ? "" : " ") + id;
    }
    return all;
  }
  std::vector<std::string> heard_ids() {
    const std::lock_guard lock(mutex_);
    return heard_;
  }
  int attempts(const std::string& id) {
    const std::lock_guard lock(mutex_);
    return attempts_[id];
  }
  // The answers of this one get lost: it takes what it is told, and nobody hears of it until set_mute(false)
  // or an interruption.
  void set_mute(bool mute) {
    const std::lock_guard lock(mutex_);
    mute_ = mute;
    changed_.notify_all();
  }
  bool is_lost_after_wait(const bool& interrupted) {
    std::unique_lock lock(mutex_);
    const bool was_mute = mute_;
    changed_.wait(lock, [&] { return !mute_ || interrupted; });
    return was_mute && interrupted;
  }
  void interrupt(bool& interrupted) {
    const std::lock_guard lock(mutex_);
    interrupted = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  bool away_ = false;
  bool mute_ = false;
  std::set<std::string> failing_;
  std::set<std::string> refusing_;
  std::map<std::string, int> attempts_;
  std::vector<std::string> heard_;
};

class FakeTarget final : public Target {
 public:
  FakeTarget(Listener& listener, std::size_t batch_max) : listener_(listener), batch_max_(batch_max) {}

  std::size_t batch_max() const override { return batch_max_; }
  std::vector<Delivery> deliver(const std::vector<Event>& events) override {
    std::vector<Delivery> deliveries;
    for (const auto& event : events) {
      deliveries.push_back(listener_.take(event));
    }
    if (listener_.is_lost_after_wait(interrupted_)) {
      return {events.size(), Delivery{Told::failed, "interrupted"}};
    }
    return deliveries;
  }
  void interrupt() override { listener_.interrupt(interrupted_); }

 private:
  Listener& listener_;
  const std::size_t batch_max_;
  bool interrupted_ = false;  // guarded by the listener
};

// A store with a journal that the test writes, and publishers that read it.
class EventTest : public engine::QueueTest {
 protected:
  void SetUp() override {
    durability_ = engine::Durability::relaxed;
    QueueTest::SetUp();
    ASSERT_TRUE(rules::make_system_tables(*store_, clock_.wall_ms(), entropy_));
  }
  void TearDown() override {
    publishers_.reset();
    QueueTest::TearDown();
  }

  // A contract "runs" that publishes to these places.
  static rules::DeployedPtr contract(const std::string& publish) {
    contract::Problems problems;
    auto made = contract::read_contract(
        "contract: runs\nversion: 1\nparameters: {env: {default: dev}}\n"
        "table: {name: runs, key: run_id}\npublish:\n" +
            publish +
            "records:\n  run:\n    id: {field: run_id, kind: ulid}\n    fields: {owner: string}\n"
            "    status: {field: status, start: queued, moves: {queued: done}, ends: [done]}\n"
            "    events: [{on: done, type: run_ended}]\n",
        problems);
    EXPECT_TRUE(problems.empty()) << describe(problems.front(), "f");
    auto deployed = rules::deploy(*std::move(made), "");
    EXPECT_TRUE(deployed);
    return *deployed;
  }

  // Publishes to fake targets of these names.
  void start(const std::vector<std::string>& names) {
    publishers_.reset();
    std::string publish;
    for (const auto& name : names) {
      publish += "  - {to: queue, name: " + name + "}\n";
    }
    auto chosen = options();
    chosen.open = [this](const contract::Contract&, const contract::Publication& publication,
                         const Tools&) -> Result<NamedTarget> {
      const std::string name = publication.queue.prefix();
      return NamedTarget{name, std::make_unique<FakeTarget>(listeners_[name], batch_max_)};
    };
    start_with(contract(publish), chosen);
  }
  void start_with(const rules::DeployedPtr& deployed, const Publishers::Options& chosen) {
    auto started = Publishers::start({deployed}, chosen);
    ASSERT_TRUE(started) << started.error().message;
    publishers_ = *std::move(started);
  }
  Publishers::Options options() {
    Publishers::Options made;
    made.tools = {store_.get(), &clock_, &entropy_, [this](const std::string& name) {
                    const auto found = environment_.find(name);
                    return found == environment_.end() ? std::nullopt : std::optional(found->second);
                  }};
    made.look_interval_ms = look_interval_ms_;
    return made;
  }

  static std::string row_text(const std::string& id, int seq, const std::string& more) {
    return R"({"record":{"S":"runs/run/)" + id + R"("},"seq":{"N":")" + std::to_string(seq) +
           R"("},"at":{"N":"1800000000123"},"event":{"S":"run_ended"},"data":{"M":{"n":{"N":")" +
           std::to_string(seq) + R"("}}})" + more + "}";
  }
  // A row of the journal, for the record of that id.
  void write(const std::string& id, int seq, const std::string& more = R"(,"pending":{"S":"runs"})") {
    const auto outcome = commit(action(store::ActionKind::put, row_text(id, seq, more), "waybill:journal"));
    ASSERT_EQ(outcome.kind, store::OutcomeKind::committed);
  }
  // What a row says besides its key and its event.
  std::string row(const std::string& id, int seq) {
    const auto journal = store_->find_table("waybill:journal");
    const auto key = engine::item_of(R"({"record":{"S":"runs/run/)" + id + R"("},"seq":{"N":")" +
                                     std::to_string(seq) + R"("}})");
    const auto found = store_->get(*journal, table::primary_key(journal->key, key.view()));
    EXPECT_TRUE(found);
    if (!*found) {
      return "none";
    }
    const std::string text = engine::json_of((*found)->item.view());
    const std::string known = row_text(id, seq, "");
    EXPECT_TRUE(text.starts_with(known.substr(0, known.size() - 1))) << text;
    return text.substr(known.size() - 1, text.size() - known.size());
  }
  Counts counts() { return publishers_->counts()->front(); }
  bool all_published(uint64_t count) {
    return eventually([&] { return counts().published == count && counts().pending == 0; });
  }
  bool hears(const std::string& name, const std::string& ids) {
    return eventually([&] { return listeners_[name].heard() == ids; });
  }
  // Long enough for some looks.
  static void let_looks_pass() { std::this_thread::sleep_for(std::chrono::milliseconds(50)); }
  // Moves the clock on in small steps until it holds.
  template <typename Predicate>
  bool in_time(Predicate holds, int64_t ms = 120'000) {
    for (int64_t passed = 0; passed < ms; passed += 500) {
      if (holds()) {
        return true;
      }
      clock_.advance_ms(500);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return holds();
  }

  std::size_t batch_max_ = 10;
  int64_t look_interval_ms_ = 2;
  std::map<std::string, std::string> environment_;
  std::map<std::string, Listener> listeners_;
  std::unique_ptr<Publishers> publishers_;
};

}  // namespace waybill::event
