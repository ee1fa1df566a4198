#include "engine/counters.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <random>
#include <string>

#include "engine/rocks_options.h"

namespace waybill::engine {
namespace {

class CountersTest : public testing::Test {
 protected:
  CountersTest() {
    std::string name = testing::TempDir() + "waybill-counters-XXXXXX";
    directory_ = ::mkdtemp(name.data());
    reopen();
  }
  ~CountersTest() override {
    counters_.reset();
    database_.reset();
    std::filesystem::remove_all(directory_);
  }

  void reopen() {
    counters_.reset();
    database_.reset();
    database_ =
        *Database::open(directory_ + "/engine", make_rocks_options(64 << 20, nullptr, LogWriting::at_end));
    counters_ = std::make_unique<Counters>(*database_);
    ASSERT_TRUE(counters_->load());
  }

  void commit() {
    counters_->seal(++commit_, writes_);
    ASSERT_TRUE(database_->db().Write({}, &writes_).ok());
    writes_.Clear();
    counters_->publish();
  }

  void add(const std::string& name, int64_t delta) { ASSERT_TRUE(counters_->add(name, delta)); }
  int64_t read(const std::string& name) const { return *counters_->read(name); }
  int64_t value(const std::string& name) const { return *counters_->value(name); }

  std::string directory_;
  std::unique_ptr<Database> database_;
  std::unique_ptr<Counters> counters_;
  rocksdb::WriteBatch writes_;
  uint64_t commit_ = 0;
};

TEST_F(CountersTest, WhatIsAddedIsSeenByReadersOnceItIsCommitted) {
  add("a", 2);
  add("a", 3);
  EXPECT_EQ(value("a"), 5);
  EXPECT_EQ(read("a"), 0);
  commit();
  EXPECT_EQ(read("a"), 5);
  add("a", -1);
  EXPECT_EQ(read("a"), 5);
  commit();
  EXPECT_EQ(read("a"), 4);
  EXPECT_EQ(read("b"), 0);
}

TEST_F(CountersTest, WhatWasNotCommittedIsNotThereAfterARestart) {
  add("a", 2);
  commit();
  add("a", 3);
  reopen();
  EXPECT_EQ(read("a"), 2);
  EXPECT_EQ(value("a"), 2);
}

TEST_F(CountersTest, ForgottenOnesAreZeroAlsoAfterARestart) {
  add("x/a", 2);
  add("x/b", 2);
  add("y/a", 7);
  commit();
  counters_->forget("x/", writes_);
  EXPECT_EQ(value("x/a"), 0);
  add("x/b", 1);
  EXPECT_EQ(read("x/a"), 2);
  commit();
  const auto expect_it = [&] {
    EXPECT_EQ(read("x/a"), 0);
    EXPECT_EQ(read("x/b"), 1);
    EXPECT_EQ(read("y/a"), 7);
  };
  expect_it();
  reopen();
  expect_it();
}

// Those whose rows of commits are gone are on disk alone once they are not in memory.
TEST_F(CountersTest, ForgettingReachesThoseThatAreOnDiskAlone) {
  database_->db().Put({}, database_->meta(), "counter/x/old", std::string("\0\0\0\0\0\0\0\5", 8));
  EXPECT_EQ(read("x/old"), 5);
  counters_->forget("x/", writes_);
  EXPECT_EQ(value("x/old"), 0);
  add("x/old", 1);
  commit();
  EXPECT_EQ(read("x/old"), 1);
}

// What counts nothing takes no room: neither in memory nor, once its last change is old, on disk.
TEST_F(CountersTest, ThoseThatAreZeroGoFromTheDisk) {
  constexpr int commits = 3'000;  // more than have rows
  database_->db().Put({}, database_->meta(), "counter/x/old", std::string("\0\0\0\0\0\0\0\5", 8));
  add("x/new", 2);
  add("y", 3);
  commit();
  counters_->forget("x/", writes_);
  commit();
  for (int i = 0; i < commits; ++i) {
    add("z", 1);
    commit();
  }
  const auto has_row = [&](const std::string& name) {
    std::string stored;
    return database_->db().Get({}, database_->meta(), "counter/" + name, &stored).ok();
  };
  EXPECT_FALSE(has_row("x/old"));
  EXPECT_FALSE(has_row("x/new"));
  EXPECT_TRUE(has_row("y"));
  EXPECT_EQ(value("x/new"), 0);
  add("x/new", 4);
  commit();
  EXPECT_EQ(read("x/new"), 4);
}

// More commits than have rows, with a few counters that change all the time and many that change once.
TEST_F(CountersTest, AgreesWithAModelOverThousandsOfCommitsAndRestarts) {
  constexpr int commits = 9'000;
  std::mt19937 random(7);
  std::map<std::string, int64_t> model;
  for (int i = 0; i < commits; ++i) {
    for (int change = 0; change < 4; ++change) {
      const std::string name =
          change < 2 ? "hot/" + std::to_string(random() % 10) : "cold/" + std::to_string(random() % 20'000);
      const auto delta = static_cast<int64_t>(random() % 7) - 3;
      add(name, delta);
      model[name] += delta;
    }
    if (i % 3'000 == 1'000) {
      counters_->forget("cold/1", writes_);
      for (auto& [name, number] : model) {
        number = name.starts_with("cold/1") ? 0 : number;
      }
    }
    commit();
    if (i % 2'500 == 2'499) {
      reopen();
    }
  }
  for (const auto& [name, number] : model) {
    ASSERT_EQ(read(name), number) << name;
    ASSERT_EQ(value(name), number) << name;
  }
}

// More than are kept in memory.
TEST_F(CountersTest, ManyCountersAreFoundAgain) {
  constexpr int many = 130'000;
  const auto name = [](int i) { return "many/" + std::to_string(i); };
  for (int i = 0; i < many; ++i) {
    add(name(i), i);
    if (i % 1'000 == 999) {
      commit();
    }
  }
  for (int i = 0; i < 2'100; ++i) {
    add("hot", 1);
    commit();
  }
  for (int i = 0; i < many; ++i) {
    ASSERT_EQ(read(name(i)), i);
  }
  add(name(7), 1);
  EXPECT_EQ(value(name(7)), 8);
  commit();
  EXPECT_EQ(read(name(7)), 8);
}

// What stays on disk of commits is bounded.
TEST_F(CountersTest, RowsOfOldCommitsGo) {
  for (int i = 0; i < 5'000; ++i) {
    add("a", 1);
    commit();
  }
  std::size_t rows = 0;
  const std::unique_ptr<rocksdb::Iterator> at(database_->db().NewIterator({}, database_->meta()));
  for (at->Seek("counted/"); at->Valid() && at->key().starts_with("counted/"); at->Next()) {
    ++rows;
  }
  EXPECT_GE(rows, 1'000U);
  EXPECT_LE(rows, 2'048U);
  EXPECT_EQ(read("a"), 5'000);
}

TEST_F(CountersTest, ACutOffRowIsCorruption) {
  database_->db().Put({}, database_->meta(), std::string("counted/\0\0\0\0\0\0\0\1", 16),
                      std::string("\0\0\0\7ab", 6));
  EXPECT_EQ(Counters(*database_).load().error().kind, ErrorKind::corruption);
}

}  // namespace
}  // namespace waybill::engine
