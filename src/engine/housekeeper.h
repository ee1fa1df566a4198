#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "engine/catalog.h"
#include "engine/database.h"
#include "engine/expiry_walk.h"
#include "engine/usage_recorder.h"
#include "engine/watermark.h"
#include "engine/writer.h"

namespace waybill::engine {

// The thread that looks after the store: it sweeps expired items and messages, fills new indexes, forgets old
// tokens and changes, writes down what was used, syncs the watermark, flushes write buffers in quiet moments
// and watches the free space of the disk. What changes data goes through the writer.
//
// Thread safety: wake() and disk_is_full() from any thread.
class Housekeeper {
 public:
  struct Options {
    const Clock* clock;
    std::string data_dir;
    int64_t interval_ms;
    uint64_t disk_reserve_bytes;
  };

  // All that is referred to outlives the housekeeper.
  Housekeeper(const Database& database, const Watermark& watermark, const Catalog& catalog, Writer& writer,
              UsageRecorder& usage, Options options);
  ~Housekeeper();

  // There may be something to do now.
  void wake();

  // Less space is left than the reserve: writes should be refused.
  bool disk_is_full() const { return disk_is_full_.load(std::memory_order_relaxed); }

 private:
  void run();
  void watch_disk();
  void sweep_all();
  bool sweep(const table::Table& table);
  std::vector<std::string> expired_keys(const table::Table& table) const;
  void sweep_queues();
  void fill_all();
  void fill(const table::Table& table, table::SpaceId index);
  void forget_tokens();
  void trim_logs();
  void forget_backups();
  void trim_usage();
  void trim_log(table::SpaceId log, int64_t before_ms);
  void flush_when_idle();
  bool stopping() const { return stopping_.load(); }

  const Database& database_;
  const Watermark& watermark_;
  const Catalog& catalog_;
  Writer& writer_;
  UsageRecorder& usage_;
  const Options options_;
  ExpiryWalk walk_;
  uint64_t round_ = 0;  // of sweep_all()
  std::atomic<bool> disk_is_full_{false};
  std::atomic<bool> stopping_{false};
  int64_t tokens_forgotten_at_ms_ = 0;
  int64_t logs_trimmed_at_ms_ = 0;
  int64_t usage_trimmed_at_ms_ = 0;
  int64_t queues_swept_at_ms_ = 0;
  uint64_t last_sequence_ = 0;  // of RocksDB, in the round before

  std::mutex mutex_;  // guards woken_
  std::condition_variable woken_condition_;
  bool woken_ = false;

  std::thread thread_;
};

}  // namespace waybill::engine
