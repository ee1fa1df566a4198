#include "engine/rocks_options.h"

#include <rocksdb/cache.h>
#include <rocksdb/env.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/listener.h>
#include <rocksdb/sst_file_manager.h>
#include <rocksdb/table.h>

#include <algorithm>
#include <bit>

#include "base/check.h"
#include "base/stand_back.h"
#include "engine/memtable.h"
#include "engine/prepared_log.h"

namespace waybill::engine {

namespace {

constexpr uint64_t mebibyte = 1ULL << 20;
constexpr double filter_bits_per_key = 10;

rocksdb::BlockBasedTableOptions block_options(const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::BlockBasedTableOptions options;
  options.block_cache = cache;
  options.block_size = 8 * 1024;
  options.format_version = 5;
  options.filter_policy.reset(rocksdb::NewBloomFilterPolicy(filter_bits_per_key, false));
  options.cache_index_and_filter_blocks = true;
  // Every read goes through them: held on to, they need not be looked up in the cache each time.
  options.metadata_cache_options.unpartitioned_pinning = rocksdb::PinningTier::kAll;
  // A block holds few, large records: each is found at once, not by walking over its neighbours.
  options.block_restart_interval = 1;
  return options;
}

// Messages are read in the order they stand in, and no one asks for one that is not there. Millions may wait:
// what is held in memory of each block is to be little.
rocksdb::BlockBasedTableOptions message_block_options(const std::shared_ptr<rocksdb::Cache>& cache) {
  auto options = block_options(cache);
  options.block_size = 32 * 1024;
  options.filter_policy.reset();
  return options;
}

struct Family {
  uint64_t buffer_bytes;
  uint64_t entry_bytes_typical;
  int files_merged;  // flushed files that are merged at once
};

rocksdb::ColumnFamilyOptions family_options(const std::shared_ptr<rocksdb::Cache>& cache,
                                            const Family& family) {
  rocksdb::ColumnFamilyOptions options;
  options.memtable_factory =
      make_memtable_factory(std::bit_ceil(family.buffer_bytes / family.entry_bytes_typical));
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(block_options(cache)));
  options.write_buffer_size = family.buffer_bytes;
  options.max_write_buffer_number = 3;
  options.level0_file_num_compaction_trigger = family.files_merged;
  // A merge may take seconds, in which writes go on.
  options.level0_slowdown_writes_trigger = 28;
  options.level0_stop_writes_trigger = 40;
  options.max_bytes_for_level_base = 40 * family.buffer_bytes;
  options.max_bytes_for_level_multiplier = 5;
  // LZ4 would save two fifths of the disk, and take a quarter of all the processor time of compactions.
  options.compression = rocksdb::kNoCompression;
  options.force_consistency_checks = true;
  options.level_compaction_dynamic_level_bytes = true;
  options.memtable_protection_bytes_per_key = 0;
  return options;
}

// A compaction leaves gigabytes of files behind. Where a file system tells its disk of freed space at once
// (mounted with `discard`), deleting them together kept the log's syncs waiting for 160 ms: they go in
// pieces instead, faster than compaction makes them. Only where many times the data waits all the same they
// go at once: with half of the data as that limit, every compaction of a small store went beyond it.
std::shared_ptr<rocksdb::SstFileManager> make_file_manager(rocksdb::Env* env) {
  constexpr int64_t deleted_per_second = 1024 * mebibyte;
  constexpr double trash_per_data_max = 8;
  constexpr uint64_t piece_bytes = 8 * mebibyte;
  return std::shared_ptr<rocksdb::SstFileManager>(rocksdb::NewSstFileManager(
      env, nullptr, "", deleted_per_second, true, nullptr, trash_per_data_max, piece_bytes));
}

// Compactions take a processor for seconds. Whoever waits for an answer goes first; what they are left with
// is a tenth of a processor at the least, and all that is idle.
class CompactionsStandBack final : public rocksdb::EventListener {
 public:
  void OnCompactionBegin(rocksdb::DB* /*db*/, const rocksdb::CompactionJobInfo& /*info*/) override {
    constexpr int nice = 10;
    stand_back(nice);
  }
};

}  // namespace

RocksOptions make_rocks_options(uint64_t memory_bytes, rocksdb::Env* env, LogWriting log_writing) {
  // Larger buffers would make a start after a crash slower: all that is in them is read from the log again.
  const uint64_t buffers_bytes = std::clamp(memory_bytes / 4, 16 * mebibyte, 128 * mebibyte);
  const uint64_t caches_bytes = std::max(memory_bytes - buffers_bytes, 16 * mebibyte);
  const auto cache = rocksdb::NewLRUCache(caches_bytes / 8);

  RocksOptions made;
  made.item_cache_bytes = caches_bytes / 8 * 7;
  made.db.env = env != nullptr ? env : rocksdb::Env::Default();
  if (log_writing == LogWriting::over_prepared) {
    made.env =
        rocksdb::NewCompositeEnv(std::make_shared<PreparedLogFileSystem>(made.db.env->GetFileSystem()));
    made.db.env = made.env.get();
  }
  made.db.listeners.push_back(std::make_shared<CompactionsStandBack>());
  made.db.sst_file_manager = make_file_manager(made.db.env);
  made.db.create_if_missing = true;
  made.db.create_missing_column_families = true;
  made.db.db_write_buffer_size = buffers_bytes;
  made.db.max_total_wal_size = 2 * buffers_bytes;
  made.db.max_background_jobs = 2;
  made.db.max_open_files = 1000;
  made.db.bytes_per_sync = mebibyte;
  made.db.compaction_readahead_size = mebibyte;
  made.db.skip_stats_update_on_db_open = true;
  made.db.stats_dump_period_sec = 0;
  made.db.stats_persist_period_sec = 0;
  // Our own commit numbers tell whether the log came back whole (watermark.h); a torn last record is
  // ordinary after a crash and must not keep the store shut.
  made.db.wal_recovery_mode = rocksdb::WALRecoveryMode::kPointInTimeRecovery;
  // A log that was replayed stays until its data is in a table file: a refused start changes nothing.
  made.db.avoid_flush_during_recovery = true;
  // One thread writes; our memtables are made for that.
  made.db.allow_concurrent_memtable_write = false;
  made.db.paranoid_checks = true;
  made.db.verify_sst_unique_id_in_manifest = true;
  made.db.max_bgerror_resume_count = 0;
  // The engine's own log, kept small: what matters is in ours.
  made.db.info_log_level = rocksdb::InfoLogLevel::WARN_LEVEL;
  made.db.max_log_file_size = 4 * mebibyte;
  made.db.keep_log_file_num = 2;
  // A change is written again at every level it comes through, together with what lies around it there. The
  // more changes come down at once, the less that is for each: random writes over 10 million items, merged
  // six files at a time into levels that grow tenfold, cost 12 KB each; this way it is 5. A range is read
  // from every one of those files, at 5 us each, and ranges are mostly read from indexes: their entries,
  // which are small, are merged sooner.
  made.items = family_options(cache, {buffers_bytes / 2, 512, 12});
  made.entries = family_options(cache, {buffers_bytes / 4, 128, 4});
  made.changes = family_options(cache, {buffers_bytes / 2, 1024, 4});
  made.backups = family_options(cache, {4 * mebibyte, 1024, 4});
  made.backups.compression = rocksdb::kLZ4Compression;  // written and read once, if ever
  made.tokens = family_options(cache, {8 * mebibyte, 128, 4});
  made.usage = family_options(cache, {4 * mebibyte, 128, 4});
  // Every flush holds new messages and the traces of deleted ones, the two ends of a queue. Merged at once
  // into all that lies between, a million messages of 1 KB were written again every 15 seconds under load.
  // So flushes are merged into a small level first, whose files end where the next level has much that they
  // have not: what goes on from there meets one end of the queue, or nothing at all. Only queues that are
  // smaller than that level are merged as a whole.
  made.messages = family_options(cache, {buffers_bytes / 4, 512, 12});
  made.messages.max_bytes_for_level_base = 4 * buffers_bytes;
  made.messages.max_bytes_for_level_multiplier = 10;
  made.messages.target_file_size_base = buffers_bytes / 4;
  made.messages.max_compaction_bytes = buffers_bytes;
  made.messages.table_factory.reset(rocksdb::NewBlockBasedTableFactory(message_block_options(cache)));
  made.deliveries = family_options(cache, {8 * mebibyte, 128, 4});
  made.meta = family_options(cache, {4 * mebibyte, 128, 4});
  check_rocks_options(made.db);
  return made;
}

void check_rocks_options(const rocksdb::DBOptions& options) {
  // Each of these had a bug in 7.8 that was mended later, or weakens what an answer promises.
  WAYBILL_CHECK(options.wal_compression == rocksdb::kNoCompression);
  WAYBILL_CHECK(!options.track_and_verify_wals_in_manifest);
  WAYBILL_CHECK(options.recycle_log_file_num == 0);
  WAYBILL_CHECK(!options.manual_wal_flush);
  WAYBILL_CHECK(options.max_bgerror_resume_count == 0);
  WAYBILL_CHECK(options.WAL_ttl_seconds == 0 && options.WAL_size_limit_MB == 0);
  WAYBILL_CHECK(!options.allow_mmap_reads && !options.allow_mmap_writes);
  WAYBILL_CHECK(!options.unordered_write);
  WAYBILL_CHECK(!options.two_write_queues);
  WAYBILL_CHECK(options.paranoid_checks);
  WAYBILL_CHECK(options.wal_recovery_mode == rocksdb::WALRecoveryMode::kPointInTimeRecovery);
}

}  // namespace waybill::engine
