// Random operations on the engine and on a std::map, with restarts in between: both must say the same, and
// every index must be what the items make of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <random>

#include "engine/fixture.h"

namespace waybill::engine {
namespace {

using store::ActionKind;
using store::OutcomeKind;

class ModelTest : public EngineTest {
 protected:
  std::string random_item(const std::string& id) {
    std::string text = R"({"id":{"S":")" + id + R"("})";
    if (random_() % 4 != 0) {
      text += R"(,"owner":{"S":"o)" + std::to_string(random_() % 3) + R"("})";
    }
    if (random_() % 4 != 0) {
      text += R"(,"at":{"N":")" + std::to_string(static_cast<int>(random_() % 20) - 10) + R"("})";
    }
    return text + R"(,"v":{"S":")" + std::string(random_() % 50, 'x') + R"("}})";
  }

  void step() {
    const std::string id = std::to_string(random_() % 40);
    const bool there = model_.contains(id);
    const std::string text = random_item(id);
    auto made = action(random_() % 3 == 0 ? ActionKind::remove : ActionKind::put, text);
    const bool wants_absent = random_() % 3 == 0;
    if (wants_absent) {
      made.condition = condition("attribute_not_exists(id)");
    }
    const bool removes = made.kind == ActionKind::remove;
    const auto outcome = commit(std::move(made));
    ASSERT_EQ(outcome.kind, wants_absent && there ? OutcomeKind::refused : OutcomeKind::committed);
    if (outcome.kind == OutcomeKind::committed) {
      removes ? void(model_.erase(id)) : void(model_[id] = text);
    }
  }

  void compare() {
    std::vector<std::string> items = all();
    std::vector<std::string> expected;
    std::vector<std::string> expected_entries;
    int64_t bytes = 0;
    for (const auto& [id, text] : model_) {
      ASSERT_EQ(get(id), text);
      expected.push_back(text);
      const auto item = item_of(text);
      bytes += item::size_bytes(item.view());
      if (item.view().find("owner") && item.view().find("at")) {
        expected_entries.push_back(text);
      }
    }
    std::sort(items.begin(), items.end());
    std::sort(expected.begin(), expected.end());
    ASSERT_EQ(items, expected);
    auto entries = all("by_owner");
    auto backwards = all("by_owner", false);
    std::reverse(backwards.begin(), backwards.end());
    ASSERT_EQ(entries, backwards);
    std::sort(entries.begin(), entries.end());
    std::sort(expected_entries.begin(), expected_entries.end());
    ASSERT_EQ(entries, expected_entries);
    ASSERT_EQ(stats().items, static_cast<int64_t>(model_.size()));
    ASSERT_EQ(stats().bytes, bytes);
    ASSERT_EQ(stats("by_owner").items, static_cast<int64_t>(entries.size()));
  }

  std::mt19937_64 random_;
  std::map<std::string, std::string> model_;
};

TEST_F(ModelTest, TheEngineAgreesWithAMap) {
  const uint64_t seed = std::random_device{}();
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  random_.seed(seed);
  ASSERT_TRUE(create(things()));
  for (int round = 0; round < 12; ++round) {
    for (int i = 0; i < 150; ++i) {
      ASSERT_NO_FATAL_FAILURE(step());
    }
    ASSERT_NO_FATAL_FAILURE(compare());
    reopen();
    ASSERT_NO_FATAL_FAILURE(compare());
  }
}

}  // namespace
}  // namespace waybill::engine
