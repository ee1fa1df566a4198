#pragma once

#include <rocksdb/io_status.h>

#include <cstdint>

namespace waybill::engine {

// Lets the disk work while memtables are filled.
//
// RocksDB writes a batch into its log, syncs the log, puts the batch into memtables entry by entry, and then
// lets readers see it. With one of these around the write, the log only starts the disk where it would sync
// (prepared_log.h), and the batch's last entry waits for it (memtable.h): so nobody sees what is not synced,
// as without it. A disk that fails ends the process, as it does elsewhere (writer.h).
//
// For the thread that writes; one at a time.
class SyncBehind {
 public:
  // A log whose sync is put off.
  class Log {
   public:
    virtual rocksdb::IOStatus sync_now() = 0;

   protected:
    ~Log() = default;
  };

  // For a write of so many entries, all of which go into memtables of ours. 0: nothing is put off.
  explicit SyncBehind(uint32_t entries);
  ~SyncBehind();
  SyncBehind(const SyncBehind&) = delete;
  SyncBehind& operator=(const SyncBehind&) = delete;

  // For the log: whether it need not sync now. It must start the disk then.
  static bool puts_off(Log& log);
  // For memtables: one more entry is in. Waits for the disk where it was the last.
  static void entry_is_in() {
    if (current_ != nullptr) {
      current_->count_entry();
    }
  }

 private:
  void count_entry() {
    if (entries_left_ == 0) {
      return;
    }
    --entries_left_;
    if (entries_left_ == 0) {
      wait();
    }
  }
  void wait();

  static thread_local SyncBehind* current_;

  uint32_t entries_left_;
  Log* log_ = nullptr;
};

}  // namespace waybill::engine
