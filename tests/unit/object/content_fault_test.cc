// Disks that fail: whatever call fails, and however, the caller is told, and nothing half-written can be
// seen.
#include <gtest/gtest.h>

#include <cerrno>

#include "object/scratch.h"

namespace waybill::object {
namespace {

// The system's disk, of which one call fails, or all of them do less than they are asked.
class FaultyDisk final : public Disk {
 public:
  ssize_t write_at(int file, const char* bytes, std::size_t count, uint64_t offset) override {
    return fails("write") ? -1 : system_disk().write_at(file, bytes, some_of(count), offset);
  }
  ssize_t read_at(int file, char* bytes, std::size_t count, uint64_t offset) override {
    return fails("read") ? -1 : system_disk().read_at(file, bytes, some_of(count), offset);
  }
  ssize_t copy_range(int from, uint64_t from_offset, int to, uint64_t to_offset, std::size_t count) override {
    if (cannot_copy) {
      errno = EXDEV;
      return -1;
    }
    return fails("copy") ? -1 : system_disk().copy_range(from, from_offset, to, to_offset, some_of(count));
  }
  void start_writing_out(int file, uint64_t offset, uint64_t count) override {
    system_disk().start_writing_out(file, offset, count);
  }
  int sync(int file) override { return fails("sync") ? -1 : system_disk().sync(file); }
  int rename(int from_folder, const char* from, int to_folder, const char* to) override {
    return fails("rename") ? -1 : system_disk().rename(from_folder, from, to_folder, to);
  }

  std::vector<std::string> calls;
  int fail_at = -1;  // which call from now on, from 0
  int code = EIO;
  bool is_slow = false;  // few bytes at a time, and interrupted every other time
  bool cannot_copy = false;

 private:
  bool fails(const char* call) {
    calls.emplace_back(call);
    if (fail_at >= 0 && fail_at-- == 0) {
      errno = code;
      return true;
    }
    if (is_slow && (is_interrupted_ = !is_interrupted_) && std::string_view(call) != "sync" &&
        std::string_view(call) != "rename") {
      errno = EINTR;
      return true;
    }
    return false;
  }
  std::size_t some_of(std::size_t count) const { return is_slow ? 1 + count / 3 : count; }

  bool is_interrupted_ = false;
};

class ContentFaultTest : public StoreTest {
 protected:
  FaultyDisk disk_;
};

Result<StoredContent> upload(ContentStore& store, std::string_view bytes) {
  WAYBILL_TRY_ASSIGN(auto writer, store.begin({1 << 30, {}}));
  WAYBILL_TRY(writer.append(bytes));
  return writer.commit();
}

TEST_F(ContentFaultTest, OnDiskBeforeItHasItsName) {
  auto store = open(&disk_);
  disk_.calls.clear();
  ASSERT_TRUE(upload(store, "x"));
  EXPECT_EQ(disk_.calls, (std::vector<std::string>{"write", "sync", "rename", "sync"}));
}

TEST_F(ContentFaultTest, EveryCallOfAnUploadFailsOnce) {
  const std::string bytes = random_bytes(1, 300'000);
  for (const int code : {EIO, ENOSPC, EDQUOT}) {
    bool is_through = false;
    for (int call = 0; !is_through; ++call) {
      ASSERT_LT(call, 100);
      auto store = open(&disk_);
      disk_.fail_at = call;
      disk_.code = code;
      const auto stored = upload(store, bytes);
      is_through = disk_.fail_at >= 0;
      disk_.fail_at = -1;
      if (is_through) {
        ASSERT_TRUE(stored);
        ASSERT_TRUE(*store.remove(stored->id));
      } else {
        ASSERT_FALSE(stored) << call;
        ASSERT_EQ(stored.error().kind, code == EIO ? ErrorKind::internal : ErrorKind::unavailable);
        ASSERT_FALSE(stored.error().detail.empty());
      }
      ASSERT_TRUE(files_in("incoming").empty()) << call;
      ASSERT_TRUE(files_in("contents").empty()) << call;
    }
  }
}

TEST_F(ContentFaultTest, EveryCallOfAJoinFailsOnce) {
  auto store = open(&disk_);
  const std::vector<ContentId> parts{upload(store, random_bytes(1, 100'000))->id, upload(store, "tail")->id};
  for (const bool cannot_copy : {false, true}) {
    disk_.cannot_copy = cannot_copy;
    bool is_through = false;
    for (int call = 0; !is_through; ++call) {
      ASSERT_LT(call, 100);
      disk_.fail_at = call;
      const auto joined = store.join(parts);
      is_through = disk_.fail_at >= 0;
      disk_.fail_at = -1;
      ASSERT_EQ(joined.has_value(), is_through) << call;
      if (is_through) {
        ASSERT_EQ(get(store, joined->id), random_bytes(1, 100'000) + "tail");
        ASSERT_TRUE(*store.remove(joined->id));
      }
      ASSERT_TRUE(files_in("incoming").empty());
      ASSERT_EQ(files_in("contents").size(), 2U);
    }
  }
}

TEST_F(ContentFaultTest, AReadThatFailsIsAnError) {
  auto store = open(&disk_);
  const auto id = upload(store, random_bytes(1, 300'000))->id;
  bool is_through = false;
  for (int call = 0; !is_through; ++call) {
    ASSERT_LT(call, 100);
    disk_.fail_at = call;
    const auto reader = store.read(id);
    std::string out(200'000, 'x');
    const auto got = reader ? reader->read(1000, out) : Result<std::size_t>(reader.error());
    is_through = disk_.fail_at >= 0;
    disk_.fail_at = -1;
    ASSERT_EQ(got.has_value(), is_through);
    if (!is_through) {
      EXPECT_EQ(got.error().kind, ErrorKind::internal);
    }
  }
}

TEST_F(ContentFaultTest, AStartThatFailsIsAnError) {
  disk_.fail_at = 0;
  EXPECT_FALSE(try_open(&disk_));
  disk_.fail_at = -1;
  EXPECT_TRUE(try_open(&disk_));
}

TEST_F(ContentFaultTest, CallsThatDoLessThanTheyAreAsked) {
  auto store = open(&disk_);
  disk_.is_slow = true;
  const std::string bytes = random_bytes(1, 300'000);
  const auto stored = upload(store, bytes);
  ASSERT_TRUE(stored) << stored.error().detail;
  EXPECT_EQ(get(store, stored->id), bytes);
  for (const bool cannot_copy : {false, true}) {
    disk_.cannot_copy = cannot_copy;
    const std::vector<ContentId> parts{stored->id, stored->id};
    const auto joined = store.join(parts);
    ASSERT_TRUE(joined) << joined.error().detail;
    EXPECT_EQ(get(store, joined->id), bytes + bytes);
  }
}

}  // namespace
}  // namespace waybill::object
