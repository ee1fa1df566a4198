// A random course of sends, receives, settlements, restarts and time, beside a model that keeps every message
// in one list.
#include <random>
#include <set>

#include "engine/queue_fixture.h"

namespace waybill::engine {
namespace {

using store::Settled;

struct ModelMessage {
  std::string body;
  std::string group;
  int64_t due_ms = 0;      // of one that is delayed
  int64_t visible_ms = 0;  // of one that was received
  uint32_t receives = 0;
  uint64_t token = 0;  // of the last receive
  bool deleted = false;
  std::optional<store::Delivery> last;
};

class QueueModelTest : public QueueTest, public ::testing::WithParamInterface<std::tuple<bool, int>> {
 protected:
  QueueModelTest() { durability_ = Durability::relaxed; }

  bool is_fifo() const { return std::get<0>(GetParam()); }
  std::string name() const { return is_fifo() ? "q.fifo" : "q"; }
  int64_t now() const { return clock_.wall_ms(); }
  std::size_t chance(std::size_t below) { return random_() % below; }

  static bool waits(const ModelMessage& message, int64_t now_ms) {
    return !message.deleted && message.due_ms <= now_ms && message.visible_ms <= now_ms;
  }
  static bool in_flight(const ModelMessage& message, int64_t now_ms) {
    return !message.deleted && message.visible_ms > now_ms;
  }

  void send_some() {
    const std::size_t count = chance(10) == 0 ? 1 + chance(2500) : 1 + chance(5);
    const std::size_t groups = chance(3) == 0 ? 300 : 3;
    std::vector<store::NewMessage> messages;
    for (std::size_t i = 0; i < count; ++i) {
      ModelMessage made;
      made.body = std::to_string(model_.size());
      if (is_fifo() || chance(2) == 0) {
        made.group = "g" + std::to_string(chance(groups));
      }
      auto sent = message(made.body, made.group);
      if (!is_fifo() && chance(20) == 0) {
        sent.delay_ms = static_cast<int64_t>(chance(20)) * 1000;
        made.due_ms = now() + *sent.delay_ms;
      }
      messages.push_back(std::move(sent));
      model_.push_back(std::move(made));
    }
    ASSERT_TRUE(send_all(name(), std::move(messages)));
  }

  void receive_some() {
    const auto wanted = static_cast<uint32_t>(1 + chance(chance(5) == 0 ? 1000 : 10));
    const int64_t visibility_ms = chance(10) == 0 ? 0 : static_cast<int64_t>(chance(20)) * 1000;
    std::size_t available = 0;
    std::set<std::string> blocked;
    for (const auto& message : model_) {
      if (is_fifo() && in_flight(message, now())) {
        blocked.insert(message.group);
      }
    }
    for (const auto& message : model_) {
      available += waits(message, now()) && !blocked.contains(message.group) ? 1 : 0;
    }
    const auto given = receive(name(), wanted, visibility_ms);
    // Of more than 256 messages that become due at once, some are given out a little later.
    EXPECT_LE(given.size(), std::min<std::size_t>(available, wanted));
    if (due_at_once() <= 256) {
      EXPECT_EQ(given.size(), std::min<std::size_t>(available, wanted));
    }
    std::map<std::string, std::size_t> last_of_group;
    for (const auto& delivery : given) {
      const std::size_t index = std::stoul(body_of(delivery));
      ModelMessage& message = model_.at(index);
      ASSERT_TRUE(waits(message, now())) << index;
      ASSERT_FALSE(blocked.contains(message.group)) << index;
      ASSERT_EQ(delivery.receive_count, message.receives + 1) << index;
      ASSERT_GT(delivery.receipt.token, last_token_);
      last_token_ = delivery.receipt.token;
      if (is_fifo()) {
        check_order(index, last_of_group);
      }
    }
    for (const auto& delivery : given) {
      ModelMessage& message = model_.at(std::stoul(body_of(delivery)));
      ++message.receives;
      message.visible_ms = now() + visibility_ms;
      message.token = delivery.receipt.token;
      if (message.last) {
        stale_.push_back(*message.last);
      }
      message.last = delivery;
    }
  }

  // Every earlier message of the group is deleted, or was given just before.
  void check_order(std::size_t index, std::map<std::string, std::size_t>& last_of_group) {
    const auto& group = model_[index].group;
    const auto found = last_of_group.find(group);
    const std::size_t from = found == last_of_group.end() ? 0 : found->second + 1;
    for (std::size_t i = from; i < index; ++i) {
      ASSERT_TRUE(model_[i].deleted || model_[i].group != group) << i << " before " << index;
    }
    last_of_group[group] = index;
  }

  std::size_t due_at_once() const {
    return static_cast<std::size_t>(std::ranges::count_if(model_, [&](const auto& message) {
      return !message.deleted && message.receives == 0 && message.due_ms > 0 && message.due_ms <= now();
    }));
  }

  void settle_some() {
    for (auto& message : model_) {
      if (!message.last || message.deleted || chance(4) != 0) {
        continue;
      }
      const bool hidden = in_flight(message, now());
      if (chance(3) == 0) {
        const int64_t visibility_ms = static_cast<int64_t>(chance(15)) * 1000;
        ASSERT_EQ(settle(name(), *message.last, visibility_ms),
                  hidden ? Settled::done : Settled::not_in_flight);
        if (hidden) {
          message.visible_ms = now() + visibility_ms;
        }
      } else {
        const bool deletes = hidden || !is_fifo();
        ASSERT_EQ(settle(name(), *message.last), deletes ? Settled::done : Settled::not_in_flight);
        message.deleted = deletes;
      }
    }
    if (!stale_.empty()) {
      const auto& stale = stale_[chance(stale_.size())];
      const bool deleted = model_.at(index_of(stale)).deleted;
      ASSERT_EQ(settle(name(), stale), deleted ? Settled::gone : Settled::superseded);
    }
  }

  std::size_t index_of(const store::Delivery& delivery) const {
    for (std::size_t i = 0; i < model_.size(); ++i) {
      if (model_[i].last && model_[i].last->receipt.sequence == delivery.receipt.sequence) {
        return i;
      }
    }
    return model_.size();
  }

  void check_counts() {
    int64_t visible = 0;
    int64_t hidden = 0;
    int64_t delayed = 0;
    for (const auto& message : model_) {
      visible += waits(message, now()) ? 1 : 0;
      hidden += in_flight(message, now()) ? 1 : 0;
      delayed += !message.deleted && message.due_ms > now() ? 1 : 0;
    }
    const auto counted = stats(name());
    EXPECT_EQ(counted.in_flight, hidden);
    EXPECT_EQ(counted.visible + counted.delayed, visible + delayed);
    if (due_at_once() <= 256) {
      EXPECT_EQ(counted.visible, visible);
    }
  }

  // Every message that is left comes, and no other.
  void drain() {
    clock_.advance_ms(100'000);
    std::set<std::string> left;
    for (const auto& message : model_) {
      if (!message.deleted) {
        left.insert(message.body);
      }
    }
    for (std::size_t rounds = 0; !left.empty() && rounds < 10'000; ++rounds) {
      for (const auto& delivery : receive(name(), 500, 1'000'000)) {
        ASSERT_EQ(left.erase(body_of(delivery)), 1U);
        ASSERT_EQ(settle(name(), delivery), Settled::done);
      }
    }
    for (const auto& body : left) {
      const auto& lost = model_.at(std::stoul(body));
      ADD_FAILURE() << "lost: " << body << " of group '" << lost.group << "', received " << lost.receives
                    << " times" << (lost.due_ms > 0 ? ", was delayed" : "");
    }
    const auto counted = stats(name());
    EXPECT_EQ(counted.visible + counted.in_flight + counted.delayed, 0);
  }

  std::mt19937_64 random_{static_cast<uint64_t>(std::get<1>(GetParam()))};
  std::vector<ModelMessage> model_;
  std::vector<store::Delivery> stale_;
  uint64_t last_token_ = 0;
};

TEST_P(QueueModelTest, GivesWhatTheModelWouldGive) {
  ASSERT_TRUE(make(name()));
  for (int step = 0; step < 200; ++step) {
    switch (chance(8)) {
      case 0:
      case 1:
        send_some();
        break;
      case 2:
      case 3:
      case 4:
        receive_some();
        break;
      case 5:
        settle_some();
        break;
      case 6:
        clock_.advance_ms(static_cast<int64_t>(chance(4000)));
        break;
      default:
        if (chance(4) == 0) {
          reopen();
        }
        check_counts();
    }
    ASSERT_FALSE(HasFailure()) << "step " << step;
  }
  drain();
}

INSTANTIATE_TEST_SUITE_P(Seeds, QueueModelTest,
                         ::testing::Combine(::testing::Bool(), ::testing::Range(1, 13)));

}  // namespace
}  // namespace waybill::engine
