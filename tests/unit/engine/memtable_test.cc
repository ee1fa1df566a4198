#include "engine/memtable.h"

#include <gtest/gtest.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>

#include <atomic>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "engine/fill_together.h"

namespace waybill::engine {
namespace {

// A RocksDB in memory that never flushes by itself, so that what is read comes from the memtable.
class MemtableTest : public testing::Test {
 protected:
  void SetUp() override { db_ = open(make_memtable_factory(64)); }

  std::unique_ptr<rocksdb::DB> open(const std::shared_ptr<rocksdb::MemTableRepFactory>& factory) {
    envs_.emplace_back(rocksdb::NewMemEnv(rocksdb::Env::Default()));
    rocksdb::Options options;
    options.env = envs_.back().get();
    options.create_if_missing = true;
    options.allow_concurrent_memtable_write = false;
    options.write_buffer_size = 256 << 20;
    options.memtable_factory = factory;
    rocksdb::DB* db = nullptr;
    const auto status = rocksdb::DB::Open(options, "/db", &db);
    EXPECT_TRUE(status.ok()) << status.ToString();
    return std::unique_ptr<rocksdb::DB>(db);
  }

  std::vector<std::unique_ptr<rocksdb::Env>> envs_;
  std::unique_ptr<rocksdb::DB> db_;
};

using Model = std::map<std::string, std::string>;

// Few enough that they meet again, with common beginnings, zero bytes, and lengths around the digest's 32
// and around the 128 bytes where the length in front of a key grows.
std::string random_key(std::mt19937& random) {
  static const std::string starts[] = {"",
                                       "a",
                                       std::string(7, '\0'),
                                       std::string("\0\0\0\5", 4),
                                       "abcdefgh",
                                       std::string(118, 'k'),
                                       std::string(200, 'q'),
                                       std::string("abcdefg\0", 8),
                                       std::string(31, 'd'),
                                       std::string(30, 'd') + std::string(2, '\0')};
  std::string key = starts[random() % std::size(starts)];
  for (unsigned left = random() % 3; left > 0; --left) {
    key.push_back(static_cast<char>(random() % 6 * 50));
  }
  return key;
}

std::vector<std::pair<std::string, std::string>> read_all(rocksdb::DB& db, const rocksdb::Snapshot* snapshot,
                                                          bool forward) {
  rocksdb::ReadOptions options;
  options.snapshot = snapshot;
  const std::unique_ptr<rocksdb::Iterator> at(db.NewIterator(options));
  std::vector<std::pair<std::string, std::string>> all;
  for (forward ? at->SeekToFirst() : at->SeekToLast(); at->Valid(); forward ? at->Next() : at->Prev()) {
    all.emplace_back(at->key().ToString(), at->value().ToString());
  }
  EXPECT_TRUE(at->status().ok());
  return all;
}

void expect_as_model(rocksdb::DB& db, const rocksdb::Snapshot* snapshot, const Model& model,
                     std::mt19937& random) {
  EXPECT_EQ(read_all(db, snapshot, true),
            (std::vector<std::pair<std::string, std::string>>(model.begin(), model.end())));
  EXPECT_EQ(read_all(db, snapshot, false),
            (std::vector<std::pair<std::string, std::string>>(model.rbegin(), model.rend())));
  rocksdb::ReadOptions options;
  options.snapshot = snapshot;
  const std::unique_ptr<rocksdb::Iterator> at(db.NewIterator(options));
  for (int i = 0; i < 50; ++i) {
    const std::string key = random_key(random);
    std::string value;
    const auto status = db.Get(options, key, &value);
    const auto found = model.find(key);
    ASSERT_EQ(status.ok(), found != model.end());
    if (status.ok()) {
      EXPECT_EQ(value, found->second);
    }
    at->Seek(key);
    const auto after = model.lower_bound(key);
    ASSERT_EQ(at->Valid(), after != model.end());
    if (at->Valid()) {
      EXPECT_EQ(at->key().ToString(), after->first);
    }
    at->SeekForPrev(key);
    const auto behind = model.upper_bound(key);
    ASSERT_EQ(at->Valid(), behind != model.begin());
    if (at->Valid()) {
      EXPECT_EQ(at->key().ToString(), std::prev(behind)->first);
    }
  }
}

TEST_F(MemtableTest, ReadsAsAnOrderedMapDoes) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    db_ = open(make_memtable_factory(seed % 2 == 0 ? 1 : 64));
    std::mt19937 random(seed);
    Model model;
    struct Moment {
      const rocksdb::Snapshot* snapshot;
      Model model;
    };
    std::vector<Moment> moments;
    for (int step = 0; step < 600; ++step) {
      const std::string key = random_key(random);
      if (random() % 4 == 0) {
        ASSERT_TRUE(db_->Delete({}, key).ok());
        model.erase(key);
      } else {
        const std::string value = std::to_string(step) + std::string(random() % 300, 'v');
        ASSERT_TRUE(db_->Put({}, key, value).ok());
        model[key] = value;
      }
      if (step % 150 == 100) {
        moments.push_back({db_->GetSnapshot(), model});
      }
    }
    expect_as_model(*db_, nullptr, model, random);
    for (const auto& moment : moments) {
      expect_as_model(*db_, moment.snapshot, moment.model, random);
    }
    ASSERT_TRUE(db_->Flush({}).ok());
    expect_as_model(*db_, nullptr, model, random);
    for (const auto& moment : moments) {
      expect_as_model(*db_, moment.snapshot, moment.model, random);
      db_->ReleaseSnapshot(moment.snapshot);
    }
  }
}

// Batches of all sizes: their entries are searched for at the same time, stand beside each other or are
// versions of one key, and come to two memtables.
TEST_F(MemtableTest, EntriesThatArePlacedTogetherReadAsAnOrderedMapDoes) {
  rocksdb::ColumnFamilyHandle* made = nullptr;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    db_ = open(make_memtable_factory(seed % 2 == 0 ? 1 : 64));
    rocksdb::ColumnFamilyOptions options;
    options.memtable_factory = make_memtable_factory(16);
    ASSERT_TRUE(db_->CreateColumnFamily(options, "other", &made).ok());
    const std::unique_ptr<rocksdb::ColumnFamilyHandle> other(made);
    std::mt19937 random(seed);
    Model model;
    Model other_model;
    for (int step = 0; step < 100; ++step) {
      rocksdb::WriteBatch batch;
      for (unsigned left = 1 + random() % 60; left > 0; --left) {
        const bool is_other = random() % 3 == 0;
        auto* const family = is_other ? other.get() : db_->DefaultColumnFamily();
        Model& of_family = is_other ? other_model : model;
        const std::string key = random_key(random);
        if (random() % 4 == 0) {
          ASSERT_TRUE(batch.Delete(family, key).ok());
          of_family.erase(key);
        } else {
          const std::string value = std::to_string(step) + "." + std::to_string(left);
          ASSERT_TRUE(batch.Put(family, key, value).ok());
          of_family[key] = value;
        }
      }
      const FillTogether together(batch.Count());
      ASSERT_TRUE(db_->Write({}, &batch).ok());
    }
    expect_as_model(*db_, nullptr, model, random);
    std::vector<std::pair<std::string, std::string>> in_other;
    const std::unique_ptr<rocksdb::Iterator> at(db_->NewIterator({}, other.get()));
    for (at->SeekToFirst(); at->Valid(); at->Next()) {
      in_other.emplace_back(at->key().ToString(), at->value().ToString());
    }
    EXPECT_EQ(in_other,
              (std::vector<std::pair<std::string, std::string>>(other_model.begin(), other_model.end())));
    ASSERT_TRUE(db_->Flush({}).ok());
    expect_as_model(*db_, nullptr, model, random);
  }
}

// Rows that grow at their ends, at times in their middle, and whose keys get new versions: what the guesses
// of places are for. With common beginnings longer than the digest.
TEST_F(MemtableTest, RowsThatGrowStayInOrder) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    db_ = open(make_memtable_factory(64));
    std::mt19937 random(seed);
    Model model;
    std::map<unsigned, unsigned> ends;  // of each row
    for (int step = 0; step < 5000; ++step) {
      const unsigned row = random() % 20;
      unsigned& end = ends[row];
      const unsigned kind = random() % 10;
      const unsigned number = kind < 6 ? end += 1 + random() % 3 : random() % (end + 2);
      std::string digits = std::to_string(number);
      digits.insert(0, 12 - digits.size(), '0');
      const std::string key =
          "orchestrator/job/" + std::to_string(row % 7) + "-" + std::to_string(row) + "/" + digits;
      if (kind == 9) {
        ASSERT_TRUE(db_->Delete({}, key).ok());
        model.erase(key);
      } else {
        ASSERT_TRUE(db_->Put({}, key, std::to_string(step)).ok());
        model[key] = std::to_string(step);
      }
    }
    EXPECT_EQ(read_all(*db_, nullptr, true),
              (std::vector<std::pair<std::string, std::string>>(model.begin(), model.end())));
    EXPECT_EQ(read_all(*db_, nullptr, false),
              (std::vector<std::pair<std::string, std::string>>(model.rbegin(), model.rend())));
    for (const auto& [key, value] : model) {
      std::string found;
      ASSERT_TRUE(db_->Get({}, key, &found).ok());
      EXPECT_EQ(found, value);
    }
  }
}

TEST_F(MemtableTest, HidesRangesThatWereDeleted) {
  for (int i = 100; i < 200; ++i) {
    ASSERT_TRUE(db_->Put({}, "k" + std::to_string(i), "v").ok());
  }
  ASSERT_TRUE(db_->DeleteRange({}, db_->DefaultColumnFamily(), "k120", "k190").ok());
  std::string value;
  EXPECT_TRUE(db_->Get({}, "k119", &value).ok());
  EXPECT_TRUE(db_->Get({}, "k120", &value).IsNotFound());
  EXPECT_EQ(read_all(*db_, nullptr, true).size(), 30U);
  EXPECT_EQ(read_all(*db_, nullptr, false).size(), 30U);
}

TEST_F(MemtableTest, EstimatesSizesOfRanges) {
  for (int i = 10000; i < 20000; ++i) {
    ASSERT_TRUE(db_->Put({}, "k" + std::to_string(i), std::string(100, 'v')).ok());
  }
  const auto bytes_between = [&](std::string_view begin, std::string_view end) {
    const rocksdb::Range range({begin.data(), begin.size()}, {end.data(), end.size()});
    uint64_t bytes = 0;
    rocksdb::SizeApproximationOptions options;
    options.include_memtables = true;
    EXPECT_TRUE(db_->GetApproximateSizes(options, db_->DefaultColumnFamily(), &range, 1, &bytes).ok());
    return static_cast<double>(bytes);
  };
  const double all = bytes_between("k1", "k2");
  EXPECT_GT(all, 10000 * 100 * 0.6);
  EXPECT_LT(all, 10000 * 180 * 1.6);
  EXPECT_NEAR(bytes_between("k15", "k20") / all, 0.5, 0.25);
  EXPECT_EQ(bytes_between("k3", "k4"), 0);
}

// A reader sees whole batches, also while the list grows under its iterator in both directions.
TEST_F(MemtableTest, ReadersGoAlongWithOneWriter) {
  constexpr int pairs = 200;
  std::atomic<bool> done{false};
  std::atomic<int> torn{0};
  std::atomic<int> rounds{0};
  std::vector<std::thread> readers;
  for (int r = 0; r < 2; ++r) {
    readers.emplace_back([&, forward = r == 0] {
      while (!done || rounds < 4) {
        // Both halves of a pair carry the same number in every batch.
        const auto all = read_all(*db_, nullptr, forward);
        std::map<std::string, std::string> seen;
        for (const auto& [key, value] : all) {
          const auto [other, fresh] = seen.emplace(key.substr(1), value);
          torn += !fresh && other->second != value;
        }
        torn += all.size() != 2 * seen.size();
        ++rounds;
      }
    });
  }
  std::mt19937 random(7);
  for (int i = 0; i < 20000; ++i) {
    const std::string name = std::to_string(random() % pairs * 7919);
    rocksdb::WriteBatch batch;
    batch.Put("a" + name, std::to_string(i));
    batch.Put("z" + name, std::to_string(i));
    const FillTogether together(i % 2 == 0 ? 0 : batch.Count());
    ASSERT_TRUE(db_->Write({}, &batch).ok());
  }
  done = true;
  for (auto& reader : readers) {
    reader.join();
  }
  EXPECT_EQ(torn, 0);
}

}  // namespace
}  // namespace waybill::engine
