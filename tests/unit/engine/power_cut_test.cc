// Acknowledged writes survive a power cut. The file system of this test remembers what was synced; a cut
// keeps that and a random part of the rest. Without the sync the same test must notice losses.
#include <gtest/gtest.h>
#include <rocksdb/env.h>
#include <rocksdb/file_system.h>

#include <atomic>
#include <cstdio>
#include <map>
#include <mutex>
#include <random>

#include "engine/encryption/key_door.h"
#include "engine/fixture.h"

namespace waybill::engine {
namespace {

namespace fs = std::filesystem;

// How many bytes of each file a power cut could not take away.
class SyncedSizes {
 public:
  void set(const std::string& path, uint64_t size) {
    const std::lock_guard lock(mutex_);
    sizes_[path] = size;
  }

  void rename(const std::string& from, const std::string& to) {
    const std::lock_guard lock(mutex_);
    if (const auto found = sizes_.find(from); found != sizes_.end()) {
      sizes_[to] = found->second;
      sizes_.erase(found);
    }
  }

  std::map<std::string, uint64_t> copy() const {
    const std::lock_guard lock(mutex_);
    return sizes_;
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, uint64_t> sizes_;
};

class TrackedFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  TrackedFile(std::unique_ptr<rocksdb::FSWritableFile>&& file, std::string path, SyncedSizes& sizes)
      : FSWritableFileOwnerWrapper(std::move(file)), path_(std::move(path)), sizes_(sizes) {
    sizes_.set(path_, 0);
  }

  rocksdb::IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                           rocksdb::IODebugContext* context) override {
    written_ += data.size();
    return target()->Append(data, options, context);
  }

  rocksdb::IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                           const rocksdb::DataVerificationInfo& verify,
                           rocksdb::IODebugContext* context) override {
    written_ += data.size();
    return target()->Append(data, options, verify, context);
  }

  rocksdb::IOStatus Sync(const rocksdb::IOOptions& options, rocksdb::IODebugContext* context) override {
    const auto status = target()->Sync(options, context);
    sizes_.set(path_, written_);
    return status;
  }

  rocksdb::IOStatus Fsync(const rocksdb::IOOptions& options, rocksdb::IODebugContext* context) override {
    const auto status = target()->Fsync(options, context);
    sizes_.set(path_, written_);
    return status;
  }

 private:
  const std::string path_;
  SyncedSizes& sizes_;
  uint64_t written_ = 0;
};

class PowerCutFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  PowerCutFileSystem() : FileSystemWrapper(rocksdb::FileSystem::Default()) {}
  const char* Name() const override { return "PowerCutFileSystem"; }

  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* file,
                                    rocksdb::IODebugContext* context) override {
    auto status = target()->NewWritableFile(path, options, file, context);
    if (status.ok()) {
      *file = std::make_unique<TrackedFile>(std::move(*file), path, sizes);
    }
    return status;
  }

  rocksdb::IOStatus RenameFile(const std::string& from, const std::string& to,
                               const rocksdb::IOOptions& options, rocksdb::IODebugContext* context) override {
    sizes.rename(from, to);
    return target()->RenameFile(from, to, options, context);
  }

  SyncedSizes sizes;
};

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

  static void cut_power(PowerCutFileSystem& file_system, const std::string& from, const std::string& to,
                        std::mt19937_64& random) {
    // All this happens while the writer goes on, so it must be taken in the order of a commit turned round:
    // the note first, then what is synced, then the bytes.
    fs::create_directories(to + "/engine");
    fs::copy_file(from + "/acknowledged", to + "/acknowledged");
    const auto synced = file_system.sizes.copy();
    for (const auto& entry : fs::directory_iterator(from + "/engine")) {
      const std::string name = entry.path().filename();
      const auto found = synced.find(entry.path());
      if (name == "LOCK" || name.starts_with("LOG") || found == synced.end()) {
        continue;
      }
      const std::string copied = to + "/engine/" + name;
      fs::copy_file(entry.path(), copied);
      const uint64_t size = fs::file_size(copied);
      const uint64_t kept = std::min(size, found->second);
      fs::resize_file(copied, kept + (size > kept ? random() % (size - kept + 1) : 0));
    }
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

TEST_F(PowerCutTest, TheTestNoticesWhenSyncsAreLeftOut) {
  int cuts_with_losses = 0;
  for (uint64_t i = 0; i < 10; ++i) {
    cuts_with_losses += lost_after_cut(Durability::relaxed, 100 + i) != 0 ? 1 : 0;
  }
  EXPECT_GT(cuts_with_losses, 0);
}

}  // namespace
}  // namespace waybill::engine
