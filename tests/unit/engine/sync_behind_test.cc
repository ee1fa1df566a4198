#include "engine/sync_behind.h"

#include <gtest/gtest.h>

namespace waybill::engine {
namespace {

class CountingLog final : public SyncBehind::Log {
 public:
  rocksdb::IOStatus sync_now() override {
    ++syncs;
    return fails ? rocksdb::IOStatus::IOError("the disk is gone") : rocksdb::IOStatus::OK();
  }
  int syncs = 0;
  bool fails = false;
};

TEST(SyncBehindTest, TheLastEntryWaitsForTheDisk) {
  CountingLog log;
  {
    const SyncBehind behind(3);
    EXPECT_TRUE(SyncBehind::puts_off(log));
    SyncBehind::entry_is_in();
    SyncBehind::entry_is_in();
    EXPECT_EQ(log.syncs, 0);
    SyncBehind::entry_is_in();
    EXPECT_EQ(log.syncs, 1);
  }
  EXPECT_EQ(log.syncs, 1);
}

TEST(SyncBehindTest, AWriteWhoseEntriesWentElsewhereIsSyncedAtItsEnd) {
  CountingLog log;
  {
    const SyncBehind behind(2);
    EXPECT_TRUE(SyncBehind::puts_off(log));
    SyncBehind::entry_is_in();
  }
  EXPECT_EQ(log.syncs, 1);
}

TEST(SyncBehindTest, NothingIsPutOffOutsideOfAWriteOrForNoEntriesOrTwice) {
  CountingLog log;
  CountingLog other;
  EXPECT_FALSE(SyncBehind::puts_off(log));
  SyncBehind::entry_is_in();
  {
    const SyncBehind behind(0);
    EXPECT_FALSE(SyncBehind::puts_off(log));
    SyncBehind::entry_is_in();
  }
  const SyncBehind behind(1);
  EXPECT_TRUE(SyncBehind::puts_off(log));
  EXPECT_FALSE(SyncBehind::puts_off(other));
}

TEST(SyncBehindDeathTest, ADiskThatFailsEndsTheProcess) {
  EXPECT_EXIT(
      {
        CountingLog log;
        log.fails = true;
        const SyncBehind behind(1);
        SyncBehind::puts_off(log);
        SyncBehind::entry_is_in();
      },
      testing::ExitedWithCode(74), "the disk is gone");
}

}  // namespace
}  // namespace waybill::engine
