// Acknowledged writes survive a power cut. Without the sync the same test must notice losses.
#include <gtest/gtest.h>
#include <rocksdb/env.h>

#include <atomic>
#include <cstdio>
#include <random>

#include "engine/encryption/key_door.h"
#include "engine/fixture.h"
#include "engine/power_cut.h"

namespace waybill::engine {
namespace {

class PowerCutTest : public EngineTest {
 protected:
  // Writes for a while on a file system that remembers its syncs and cuts the power in the middle of it;
  // returns how many acknowledged writes are missing afterwards, -1 where the store refuses to open.
  int lost_after_cut(Durability durability, uint64_t seed) {
    std::mt19937_64 random(seed);
    store_.reset();
    const std::string before = directory_ + "/before" + std::to_string(seed);
    const std::string after = directory_ + "/after" + std::to_string(seed);
    const auto file_system = std::make_shared<PowerCutFileSystem>();
    const auto env = rocksdb::NewCompositeEnv(file_system);
    auto made = options();
    made.data_dir = before;
    made.env = env.get();
    made.durability = durability;
    made.encryption_keys = keys_.get();
    store_ = *engine::open(made);
    (void)create(things());
    std::atomic<int> acknowledged{0};
    std::atomic<bool> stop{false};
    std::thread writer([&] {
      for (int i = 0; !stop; ++i) {
        put(R"({"id":{"S":")" + std::to_string(i) + R"("},"owner":{"S":"o"},"at":{"N":"1"}})");
        acknowledged = i + 1;
      }
    });
    while (acknowledged < 5 + static_cast<int>(random() % 60)) {
      std::this_thread::yield();
    }
    const int known = acknowledged;
    cut_power(*file_system, before, after, random);
    stop = true;
    writer.join();
    store_.reset();
    made.data_dir = after;
    made.env = nullptr;
    auto opened = engine::open(made);
    if (!opened) {
      std::printf("%s\n", opened.error().message.c_str());
      return -1;
    }
    store_ = *std::move(opened);
    return count_lost(known);
  }

  int count_lost(int acknowledged) {
    if (store_->find_table("things") == nullptr) {
      return acknowledged;
    }
    int lost = 0;
    for (int i = 0; i < acknowledged; ++i) {
      lost += get(std::to_string(i)) == "none" ? 1 : 0;
    }
    EXPECT_EQ(stats().items, stats("by_owner").items);
    return lost;
  }

  std::unique_ptr<encryption::KeyDoor> keys_;  // null: not encrypted
};

TEST_F(PowerCutTest, NothingAcknowledgedIsLost) {
  const uint64_t seed = std::random_device{}();
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  for (uint64_t i = 0; i < 200; ++i) {
    ASSERT_EQ(lost_after_cut(Durability::sync, seed + i), 0) << "seed " << seed + i;
  }
}

TEST_F(PowerCutTest, NothingAcknowledgedIsLostUnderEncryption) {
  keys_ = std::make_unique<encryption::KeyDoor>(*encryption::KeyRing::parse(std::string(64, 'a')));
  const uint64_t seed = std::random_device{}();
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  for (uint64_t i = 0; i < 100; ++i) {
    ASSERT_EQ(lost_after_cut(Durability::sync, seed + i), 0) << "seed " << seed + i;
  }
}

// Not every cut loses something: it may come when the kernel has written all.
TEST_F(PowerCutTest, TheTestNoticesWhenSyncsAreLeftOut) {
  bool is_noticed = false;
  for (uint64_t i = 0; i < 100 && !is_noticed; ++i) {
    is_noticed = lost_after_cut(Durability::relaxed, 100 + i) != 0;
  }
  EXPECT_TRUE(is_noticed);
}

}  // namespace
}  // namespace waybill::engine
