#include "engine/item_cache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "engine/fixture.h"

namespace waybill::engine {
namespace {

constexpr std::size_t plenty = 64 << 20;

std::string find(ItemCache& cache, std::string_view key, uint64_t sequence) {
  std::string seen = "none";
  cache.find(key, sequence, [&](std::string_view record) { seen = record; });
  return seen;
}

void change(ItemCache& cache, std::string_view key, std::optional<std::string_view> record,
            uint64_t sequence) {
  cache.begin_change(key);
  cache.end_change(key, record, sequence);
}

TEST(ItemCacheTest, KeepsWhatWasReadAndWhatWasWritten) {
  ItemCache cache(plenty);
  EXPECT_EQ(find(cache, "a", 1), "none");
  cache.offer("a", "read", 5);
  EXPECT_EQ(find(cache, "a", 5), "read");
  EXPECT_EQ(find(cache, "a", 9), "read");
  change(cache, "a", "written", 10);
  EXPECT_EQ(find(cache, "a", 10), "written");
  change(cache, "a", std::nullopt, 11);
  EXPECT_EQ(find(cache, "a", 11), "none");
  EXPECT_EQ(cache.size(), 0U);
}

TEST(ItemCacheTest, DoesNotServeAMomentBeforeTheRecordWasSeen) {
  ItemCache cache(plenty);
  change(cache, "a", "new", 10);
  EXPECT_EQ(find(cache, "a", 9), "none");
  cache.offer("b", "old enough", 12);
  EXPECT_EQ(find(cache, "b", 11), "none");
  EXPECT_EQ(find(cache, "b", 12), "old enough");
}

TEST(ItemCacheTest, RefusesWhatWasReadBeforeAChange) {
  ItemCache cache(plenty);
  change(cache, "a", std::nullopt, 10);
  cache.offer("a", "as of before", 9);
  EXPECT_EQ(find(cache, "a", 20), "none");
  cache.offer("a", "as of after", 10);
  EXPECT_EQ(find(cache, "a", 20), "as of after");
}

TEST(ItemCacheTest, RefusesEverythingWhileAChangeIsUnderWay) {
  ItemCache cache(plenty);
  cache.offer("a", "before", 1);
  cache.begin_change("a");
  EXPECT_EQ(find(cache, "a", 1), "none");
  cache.offer("a", "before", 1);
  EXPECT_EQ(find(cache, "a", 1), "none");
  cache.end_change("a", "after", 2);
  EXPECT_EQ(find(cache, "a", 2), "after");
}

TEST(ItemCacheTest, StaysWithinItsMemoryAndPrefersWhatIsUsed) {
  constexpr std::size_t bytes_max = 4 << 20;
  ItemCache cache(bytes_max);
  const std::string record(1000, 'r');
  const auto key = [](int i) { return "key" + std::to_string(i); };
  for (int i = 0; i < 400; ++i) {
    cache.offer(key(i), record, 1);
  }
  for (int i = 1000; i < 40'000; ++i) {
    cache.offer(key(i), record, 1);
    find(cache, key(i % 400), 1);
    ASSERT_LE(cache.bytes(), bytes_max);
  }
  int kept = 0;
  for (int i = 0; i < 400; ++i) {
    kept += find(cache, key(i), 1) != "none";
  }
  EXPECT_GT(kept, 350);
  EXPECT_GT(cache.bytes(), bytes_max / 2);
  cache.offer("huge", std::string(1 << 20, 'h'), 1);
  EXPECT_EQ(find(cache, "huge", 1), "none");
}

TEST(ItemCacheTest, ChangesTakeNoMoreMemoryThanTheirRecords) {
  ItemCache cache(256UL << 20);
  std::mt19937 random(5);
  const auto key = [](uint32_t i) { return "key" + std::to_string(i); };
  for (uint32_t i = 0; i < 1000; ++i) {
    change(cache, key(i), std::string(1000, 'r'), 1);
  }
  const std::size_t first_bytes = cache.bytes();
  uint64_t sequence = 1;
  for (int round = 0; round < 200; ++round) {
    for (uint32_t i = 0; i < 1000; ++i) {
      change(cache, key(i), std::string(900 + random() % 200, 'r'), ++sequence);
    }
  }
  EXPECT_EQ(cache.size(), 1000U);
  EXPECT_LE(cache.bytes(), 2 * first_bytes);
}

// Where everything is used and not all has room, as much stays as there is room for.
TEST(ItemCacheTest, StaysFullWhereAllIsUsed) {
  constexpr std::size_t bytes_max = 16 << 20;
  ItemCache cache(bytes_max);
  const std::string record(1000, 'r');
  std::mt19937 random(7);
  for (int i = 0; i < 400'000; ++i) {
    const std::string key = "key" + std::to_string(random() % 18'000);
    if (find(cache, key, 1) == "none") {
      cache.offer(key, record, 1);
    }
  }
  EXPECT_GT(cache.size() * record.size(), bytes_max * 9 / 10);
  EXPECT_LE(cache.bytes(), bytes_max);
}

TEST(ItemCacheTest, LookingAheadChangesNothing) {
  ItemCache cache(plenty);
  const std::vector<std::string_view> keys = {"a", "b", "not there", "a"};
  cache.look_ahead(keys);
  cache.offer("a", "one", 1);
  cache.offer("b", "two", 1);
  cache.look_ahead(keys);
  cache.look_ahead({});
  EXPECT_EQ(find(cache, "a", 1), "one");
  EXPECT_EQ(find(cache, "b", 1), "two");
  EXPECT_EQ(find(cache, "not there", 1), "none");
}

// Segments are swept while others look ahead, read and offer, and what a key stands for never is another's.
TEST(ItemCacheTest, ManyThreadsSeeOnlyWholeRecords) {
  ItemCache cache(2 << 20);
  constexpr uint32_t keys = 4000;
  const auto key = [](uint32_t i) { return "key" + std::to_string(i); };
  const auto record = [&](uint32_t i, std::size_t length) { return key(i) + std::string(length, 'r'); };
  std::atomic<bool> done{false};
  std::atomic<int> wrong{0};
  std::atomic<int> hits{0};
  std::vector<std::thread> readers;
  for (unsigned r = 0; r < 3; ++r) {
    readers.emplace_back([&, r] {
      std::mt19937 random(r);
      while (!done) {
        std::array<std::string, 8> texts;
        std::array<std::string_view, 8> views;
        std::array<uint32_t, 8> numbers{};
        for (std::size_t i = 0; i < texts.size(); ++i) {
          numbers[i] = static_cast<uint32_t>(random() % keys);
          texts[i] = key(numbers[i]);
          views[i] = texts[i];
        }
        cache.look_ahead(views);
        for (std::size_t i = 0; i < texts.size(); ++i) {
          const bool found = cache.find(texts[i], UINT64_MAX, [&](std::string_view seen) {
            wrong += seen != record(numbers[i], seen.size() - std::min(seen.size(), texts[i].size()));
          });
          hits += found;
          if (!found) {
            cache.offer(texts[i], record(numbers[i], random() % 900), UINT64_MAX);
          }
        }
      }
    });
  }
  std::mt19937 random(9);
  for (uint64_t sequence = 1; sequence < 60'000; ++sequence) {
    const auto i = static_cast<uint32_t>(random() % keys);
    const std::string after = record(i, random() % 900);
    change(cache, key(i), random() % 8 == 0 ? std::nullopt : std::optional<std::string_view>(after),
           sequence);
  }
  done = true;
  for (auto& reader : readers) {
    reader.join();
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(hits, 1000);
}

TEST(ReferenceTableTest, AgreesWithAModel) {
  ReferenceTable table;
  std::vector<std::pair<uint32_t, uint32_t>> model;
  std::mt19937 random(11);
  for (uint32_t step = 0; step < 50'000; ++step) {
    // Few hashes, many of them neighbours: long runs that are cut and closed again.
    const auto hash = static_cast<uint32_t>(random() % 4096 * (random() % 2 == 0 ? 1 : 65'521));
    if (random() % 5 < 3) {
      table.insert(hash, step);
      model.emplace_back(hash, step);
    } else if (!model.empty()) {
      std::swap(model[random() % model.size()], model.back());
      table.erase(model.back().first, model.back().second);
      model.pop_back();
    }
    if (!model.empty()) {
      const auto [wanted_hash, wanted] = model[random() % model.size()];
      ASSERT_EQ(table.find(wanted_hash, [&](uint32_t reference) { return reference == wanted; }), wanted);
      ASSERT_EQ(table.find(wanted_hash, [](uint32_t) { return false; }), ReferenceTable::none);
    }
    ASSERT_EQ(table.size(), model.size());
  }
}

TEST(ItemCacheTest, AgreesWithAMap) {
  ItemCache cache(1 << 20);
  std::map<std::string, std::string> model;
  std::mt19937 random(3);
  int hits = 0;
  for (uint64_t sequence = 1; sequence < 200'000; ++sequence) {
    const std::string key = "k" + std::to_string(random() % 3000);
    if (random() % 3 == 0) {
      const std::string record = std::to_string(sequence) + std::string(random() % 400, 'x');
      const bool removes = random() % 4 == 0;
      change(cache, key, removes ? std::nullopt : std::optional<std::string_view>(record), sequence);
      if (removes) {
        model.erase(key);
      } else {
        model[key] = record;
      }
      continue;
    }
    const auto expected = model.find(key);
    const std::string seen = find(cache, key, sequence);
    if (seen != "none") {
      ++hits;
      ASSERT_NE(expected, model.end());
      ASSERT_EQ(seen, expected->second);
    } else if (expected != model.end()) {
      cache.offer(key, expected->second, sequence);
    }
  }
  EXPECT_GT(hits, 10'000);
}

// What a reader has seen it does not unsee, whether it comes from the cache or from RocksDB, and what was
// acknowledged is seen by all who ask afterwards.
TEST_F(EngineTest, ReadsNeverGoBackInTime) {
  ASSERT_TRUE(create(things()));
  constexpr int keys = 8;
  std::array<std::atomic<int>, keys> acknowledged{};
  const auto text = [](int key, int value) {
    return R"({"id":{"S":"k)" + std::to_string(key) + R"("},"v":{"N":")" + std::to_string(value) + R"("}})";
  };
  for (int key = 0; key < keys; ++key) {
    put(text(key, 0));
  }
  std::atomic<bool> done{false};
  std::atomic<int> wrong{0};
  std::vector<std::thread> readers;
  for (int r = 0; r < 3; ++r) {
    readers.emplace_back([&, r] {
      std::mt19937 random(static_cast<unsigned>(r));
      std::array<int, keys> seen{};
      const auto table = store_->find_table("things");
      std::vector<std::string> primary;
      for (int key = 0; key < keys; ++key) {
        primary.push_back(table::primary_key(table->key, item_of(text(key, 0)).view()));
      }
      while (!done) {
        const auto key = static_cast<std::size_t>(random() % keys);
        const int at_least = std::max(seen[key], acknowledged[key].load());
        const auto found = store_->get(*table, primary[key]);
        const int value = std::stoi(std::string((*found)->item.view().find("v")->bytes()));
        wrong += value < at_least;
        seen[key] = value;
      }
    });
  }
  std::mt19937 random(9);
  for (int i = 1; i <= 3000; ++i) {
    const auto key = random() % keys;
    put(text(static_cast<int>(key), i));
    acknowledged[key] = i;
  }
  done = true;
  for (auto& reader : readers) {
    reader.join();
  }
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace waybill::engine
