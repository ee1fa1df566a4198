#include "engine/bulk/row_sorter.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <random>

#include "engine/rocks_options.h"

namespace waybill::engine {
namespace {

class RowSorterTest : public ::testing::Test {
 protected:
  RowSorterTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "waybill-sorter-XXXXXX").string();
    EXPECT_NE(::mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
    database_ =
        *Database::open(directory_ + "/engine", make_rocks_options(64 << 20, nullptr, LogWriting::at_end));
  }
  ~RowSorterTest() override {
    database_.reset();
    std::filesystem::remove_all(directory_);
  }

  std::size_t files() const {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(directory_)) {
      count += entry.is_regular_file() ? 1 : 0;
    }
    return count;
  }

  std::string directory_;
  std::unique_ptr<Database> database_;
};

TEST_F(RowSorterTest, OrdersWhatDoesNotFitIntoMemory) {
  for (const auto keep : {RowSorter::Keep::first_added, RowSorter::Keep::last_added}) {
    for (const std::size_t memory_bytes : {std::size_t{4096}, std::size_t{1} << 30}) {
      std::map<std::string, std::string> expected;
      std::mt19937 random(7);
      {
        RowSorter sorter(*database_, directory_ + "/rows-", memory_bytes, keep);
        for (int i = 0; i < 20'000; ++i) {
          std::string key(random() % 12, static_cast<char>(random() % 3));
          key += std::to_string(random() % 2000);
          const std::string value = std::to_string(i);
          keep == RowSorter::Keep::first_added ? void(expected.emplace(key, value))
                                               : void(expected.insert_or_assign(key, value));
          ASSERT_TRUE(sorter.add(key, value));
        }
        EXPECT_EQ(files() > 10, memory_bytes == 4096);
        const auto rows = sorter.sorted();
        ASSERT_TRUE(rows);
        for (const auto& [key, value] : expected) {
          ASSERT_TRUE(*(*rows)->next());
          ASSERT_EQ((*rows)->key(), key);
          ASSERT_EQ((*rows)->record(), value);
        }
        EXPECT_FALSE(*(*rows)->next());
      }
      EXPECT_EQ(files(), 0U) << "its files go with it";
    }
  }
}

}  // namespace
}  // namespace waybill::engine
