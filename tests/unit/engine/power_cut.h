#pragma once

#include <rocksdb/env.h>
#include <rocksdb/file_system.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <random>
#include <string>
#include <vector>

// A file system that remembers what was synced, and a power cut on it: that is kept and a random part of the
// rest, of a file that grows some of the end, of one that is written over any of its sectors.
namespace waybill::engine {

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

// What was written into the middle of files, and could be taken away by a power cut.
class UnsyncedWrites {
 public:
  struct Write {
    uint64_t offset;
    uint64_t size;
  };

  void add(const std::string& path, Write write) {
    const std::lock_guard lock(mutex_);
    writes_[path].push_back(write);
  }

  // A sync has begun: these are safe once it is over.
  std::size_t count(const std::string& path) {
    const std::lock_guard lock(mutex_);
    return writes_[path].size();
  }
  void forget(const std::string& path, std::size_t count) {
    const std::lock_guard lock(mutex_);
    auto& writes = writes_[path];
    writes.erase(writes.begin(), writes.begin() + static_cast<std::ptrdiff_t>(count));
  }

  std::map<std::string, std::vector<Write>> copy() const {
    const std::lock_guard lock(mutex_);
    return writes_;
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::vector<Write>> writes_;
};

class OverwrittenFile final : public rocksdb::FSRandomRWFileOwnerWrapper {
 public:
  OverwrittenFile(std::unique_ptr<rocksdb::FSRandomRWFile>&& file, std::string path, UnsyncedWrites& writes)
      : FSRandomRWFileOwnerWrapper(std::move(file)), path_(std::move(path)), writes_(writes) {}

  // Noted before it is written: a cut in between must not take it for synced.
  rocksdb::IOStatus Write(uint64_t offset, const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                          rocksdb::IODebugContext* context) override {
    writes_.add(path_, {offset, data.size()});
    return FSRandomRWFileOwnerWrapper::Write(offset, data, options, context);
  }

  rocksdb::IOStatus Sync(const rocksdb::IOOptions& options, rocksdb::IODebugContext* context) override {
    const std::size_t before = writes_.count(path_);
    auto status = FSRandomRWFileOwnerWrapper::Sync(options, context);
    writes_.forget(path_, before);
    return status;
  }

  rocksdb::IOStatus Fsync(const rocksdb::IOOptions& options, rocksdb::IODebugContext* context) override {
    return Sync(options, context);
  }

 private:
  const std::string path_;
  UnsyncedWrites& writes_;
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

  rocksdb::IOStatus NewRandomRWFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSRandomRWFile>* file,
                                    rocksdb::IODebugContext* context) override {
    auto status = target()->NewRandomRWFile(path, options, file, context);
    if (status.ok()) {
      *file = std::make_unique<OverwrittenFile>(std::move(*file), path, writes);
      (void)writes.count(path);  // known from here on
    }
    return status;
  }

  rocksdb::IOStatus RenameFile(const std::string& from, const std::string& to,
                               const rocksdb::IOOptions& options, rocksdb::IODebugContext* context) override {
    sizes.rename(from, to);
    return target()->RenameFile(from, to, options, context);
  }

  SyncedSizes sizes;
  UnsyncedWrites writes;
};

// Of each write some sectors are lost, all or none. What was there before were zeros.
inline void lose_sectors(const std::string& path, const std::vector<UnsyncedWrites::Write>& writes,
                         std::mt19937_64& random) {
  constexpr uint64_t sector = 512;
  const uint64_t size = fs::file_size(path);
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  for (const auto& write : writes) {
    const auto kind = random() % 3;  // all are lost, none, any
    const uint64_t end = std::min(size, write.offset + write.size);
    for (uint64_t at = write.offset; at < end; at = (at / sector + 1) * sector) {
      if (kind == 0 || (kind == 2 && random() % 2 == 0)) {
        const std::string zeros(std::min(end, (at / sector + 1) * sector) - at, '\0');
        file.seekp(static_cast<std::streamoff>(at));
        file.write(zeros.data(), static_cast<std::streamsize>(zeros.size()));
      }
    }
  }
}

// Leaves in `to` what a power cut would leave of the store in `from`, which is in use.
inline void cut_power(const PowerCutFileSystem& file_system, const std::string& from, const std::string& to,
                      std::mt19937_64& random) {
  // All this happens while the writer goes on, so it must be taken in the order of a commit turned round:
  // the note first, then what is synced, then the bytes.
  fs::create_directories(to + "/engine");
  fs::copy_file(from + "/acknowledged", to + "/acknowledged");
  const auto synced = file_system.sizes.copy();
  const auto unsynced = file_system.writes.copy();
  for (const auto& entry : fs::directory_iterator(from + "/engine")) {
    const std::string name = entry.path().filename();
    const auto found = synced.find(entry.path());
    if (name == "LOCK" || name.starts_with("LOG") || found == synced.end()) {
      continue;
    }
    const std::string copied = to + "/engine/" + name;
    fs::copy_file(entry.path(), copied);
    if (const auto overwritten = unsynced.find(entry.path()); overwritten != unsynced.end()) {
      lose_sectors(copied, overwritten->second, random);
      continue;
    }
    const uint64_t size = fs::file_size(copied);
    const uint64_t kept = std::min(size, found->second);
    fs::resize_file(copied, kept + (size > kept ? random() % (size - kept + 1) : 0));
  }
}

}  // namespace waybill::engine
