#include "engine/housekeeper.h"

#include <rocksdb/convenience.h>
#include <sys/statvfs.h>

#include <chrono>
#include <future>
#include <map>
#include <memory>
#include <vector>

#include "base/log.h"
#include "base/thread_name.h"
#include "engine/bulk/bulk_jobs.h"
#include "engine/change_log.h"
#include "engine/layout.h"
#include "engine/queues/queue_jobs.h"
#include "engine/upkeep_jobs.h"
#include "table/key.h"

namespace waybill::engine {

namespace {

constexpr std::size_t sweep_items_max = ExpiryWalk::keys_max;
constexpr int sweeps_in_a_row_max = 64;
constexpr uint64_t unflushed_bytes_max = 8ULL << 20;  // that may wait for a busier moment
constexpr int64_t queue_sweep_interval_ms = 5'000;
constexpr int64_t trim_interval_ms = 10 * 60 * 1000;
constexpr int64_t usage_trim_interval_ms = 6 * 60 * 60 * 1000;
constexpr int64_t token_life_ms = 20 * 60 * 1000;

}  // namespace

Housekeeper::Housekeeper(const Database& database, const Watermark& watermark, const Catalog& catalog,
                         Writer& writer, UsageRecorder& usage, Options options)
    : database_(database),
      watermark_(watermark),
      catalog_(catalog),
      writer_(writer),
      usage_(usage),
      options_(std::move(options)),
      walk_(database) {
  watch_disk();
  thread_ = std::thread([this] { run(); });
}

Housekeeper::~Housekeeper() {
  stopping_.store(true);
  wake();
  thread_.join();
}

void Housekeeper::wake() {
  {
    const std::lock_guard lock(mutex_);
    woken_ = true;
  }
  woken_condition_.notify_one();
}

void Housekeeper::run() {
  name_this_thread("housekeeper");
  while (!stopping()) {
    if (auto synced = watermark_.sync(); !synced) {
      end_process(synced.error().message);
    }
    watch_disk();
    usage_.record_finished();
    fill_all();
    sweep_all();
    sweep_queues();
    forget_tokens();
    trim_logs();
    forget_backups();
    trim_usage();
    flush_when_idle();
    std::unique_lock lock(mutex_);
    woken_condition_.wait_for(lock, std::chrono::milliseconds(options_.interval_ms),
                              [this] { return woken_; });
    woken_ = false;
  }
}

void Housekeeper::watch_disk() {
  struct statvfs space{};
  if (::statvfs(options_.data_dir.c_str(), &space) != 0) {
    return;
  }
  const uint64_t free_bytes = uint64_t{space.f_bavail} * space.f_frsize;
  const bool full = free_bytes < options_.disk_reserve_bytes;
  if (full != disk_is_full_.exchange(full)) {
    full ? log_warning("less than " + std::to_string(options_.disk_reserve_bytes >> 20) +
                       " MiB are free in " + options_.data_dir + ": writes are refused until there is more")
         : log_info("there is enough free space again: writes are taken");
  }
}

void Housekeeper::sweep_all() {
  ++round_;
  const auto tables = catalog_.tables();
  for (const auto& [name, table] : *tables) {
    for (int i = 0; i < sweeps_in_a_row_max && !stopping() && sweep(*table); ++i) {
    }
  }
}

// Sweeps up to sweep_items_max items; true where there may be more.
bool Housekeeper::sweep(const table::Table& table) {
  if (!table.ttl.enabled()) {
    return false;
  }
  auto keys =
      table.ttl.is_walked ? walk_.next(table, options_.clock->wall_seconds(), round_) : expired_keys(table);
  if (keys.empty()) {
    return false;
  }
  const bool more = keys.size() == sweep_items_max;
  std::promise<void> done;
  auto swept = done.get_future();
  writer_.submit(std::make_unique<SweepJob>(table.space, std::move(keys), std::move(done)));
  swept.wait();
  return more;
}

// By the table's expiry index, oldest first.
std::vector<std::string> Housekeeper::expired_keys(const table::Table& table) const {
  const int64_t now_seconds = options_.clock->wall_seconds();
  const std::string begin =
      layout::full_key(table.ttl.space, table::expiry_key(table::oldest_expiry(now_seconds), {}));
  const std::string end = layout::full_key(table.ttl.space, table::expiry_key(now_seconds + 1, {}));
  const rocksdb::Slice upper = slice(end);
  rocksdb::ReadOptions options;
  options.iterate_upper_bound = &upper;
  const std::unique_ptr<rocksdb::Iterator> at(database_.db().NewIterator(options, database_.entries()));
  std::vector<std::string> keys;
  for (at->Seek(slice(begin)); at->Valid() && keys.size() < sweep_items_max; at->Next()) {
    keys.emplace_back(table::primary_of_expiry(view(at->key()).substr(sizeof(table::SpaceId))));
  }
  return keys;
}

// Nobody receives a message that is over; what is swept here is the disk, and the counts.
void Housekeeper::sweep_queues() {
  const int64_t now_ms = options_.clock->wall_ms();
  if (now_ms - queues_swept_at_ms_ < queue_sweep_interval_ms && now_ms >= queues_swept_at_ms_) {
    return;
  }
  queues_swept_at_ms_ = now_ms;
  for (const auto& queue : catalog_.queues()) {
    std::size_t swept = sweep_items_max;
    for (int i = 0; i < sweeps_in_a_row_max && swept == sweep_items_max && !stopping(); ++i) {
      std::promise<std::size_t> done;
      auto count = done.get_future();
      writer_.submit(std::make_unique<queues::SweepQueueJob>(writer_.book(), queue->name, sweep_items_max,
                                                             std::move(done)));
      swept = count.get();
    }
  }
}

void Housekeeper::fill_all() {
  const auto tables = catalog_.tables();
  for (const auto& [name, table] : *tables) {
    for (const auto& index : table->indexes) {
      if (index.backfilling) {
        fill(*table, index.space);
      }
    }
    if (table->ttl.has_index() && table->ttl.backfilling) {
      fill(*table, table->ttl.space);
    }
  }
}

void Housekeeper::fill(const table::Table& table, table::SpaceId index) {
  bool complete = false;
  while (!complete && !stopping()) {
    std::promise<bool> done;
    auto filled = done.get_future();
    writer_.submit(std::make_unique<BackfillJob>(table.space, index, std::move(done)));
    complete = filled.get();
    usage_.record_finished();  // filling may take hours
  }
}

void Housekeeper::forget_tokens() {
  const int64_t now_ms = options_.clock->wall_ms();
  if (now_ms - tokens_forgotten_at_ms_ < token_life_ms / 2) {
    return;
  }
  tokens_forgotten_at_ms_ = now_ms;
  writer_.submit(std::make_unique<ForgetTokensJob>(now_ms - token_life_ms));
}

// Readers see nothing that is too old at any moment; what is trimmed here is the disk.
void Housekeeper::trim_logs() {
  const int64_t now_ms = options_.clock->wall_ms();
  if (now_ms - logs_trimmed_at_ms_ < trim_interval_ms) {
    return;
  }
  logs_trimmed_at_ms_ = now_ms;
  const int64_t stream_horizon_ms = now_ms - table::stream_retention_ms;
  std::map<table::SpaceId, int64_t> horizons;  // of each log: what is older goes
  for (const auto& stream : catalog_.streams()) {
    if (stream->end && stream->end->time_ms < stream_horizon_ms) {
      writer_.submit(std::make_unique<ForgetStreamJob>(stream));
    } else {
      horizons.emplace(stream->log, stream_horizon_ms);
    }
  }
  const auto tables = catalog_.tables();
  for (const auto& [name, table] : *tables) {
    if (table->log != 0) {
      const int64_t recovery_ms = table->recovery.enabled ? table->recovery.earliest_ms(now_ms) : now_ms;
      horizons[table->log] = std::min(stream_horizon_ms, recovery_ms);
    }
  }
  for (const auto& [name, table] : *tables) {
    const auto source = catalog_.find(table->origin.table_name);
    if (table->state == table::TableState::being_made && source && source->log != 0) {
      horizons[source->log] = std::min(horizons[source->log], table->origin.until.time_ms);
    }
  }
  for (const auto& held : catalog_.held()) {
    const auto source = catalog_.find(held.name);
    if (source && source->space == held.space && source->log != 0) {
      horizons[source->log] = std::min(horizons[source->log], held.until.time_ms);
    }
  }
  for (const auto& [log, horizon_ms] : horizons) {
    trim_log(log, horizon_ms);
  }
}

void Housekeeper::forget_backups() {
  const int64_t now_ms = options_.clock->wall_ms();
  for (const auto& backup : catalog_.backups()) {
    if (backup->available && backup->expires_ms != 0 && backup->expires_ms < now_ms) {
      std::promise<void> done;
      auto gone = done.get_future();
      writer_.submit(std::make_unique<DeleteBackupJob>(
          backup->id, [&](const Result<table::BackupPtr>& /*result*/) { done.set_value(); }));
      gone.wait();
    }
  }
}

void Housekeeper::trim_usage() {
  const int64_t now_ms = options_.clock->wall_ms();
  if (now_ms - usage_trimmed_at_ms_ >= usage_trim_interval_ms) {
    usage_trimmed_at_ms_ = now_ms;
    usage_.trim();
  }
}

void Housekeeper::trim_log(table::SpaceId log, int64_t before_ms) {
  const std::string begin = change_log::key(log, {});
  const std::string end = change_log::key(log, {before_ms, 0});
  const rocksdb::Slice lower = slice(begin);
  const rocksdb::Slice upper = slice(end);
  rocksdb::ReadOptions options;
  options.iterate_upper_bound = &upper;
  const std::unique_ptr<rocksdb::Iterator> at(database_.db().NewIterator(options, database_.changes()));
  at->Seek(lower);
  if (!at->Valid()) {
    return;
  }
  writer_.submit(std::make_unique<TrimLogJob>(log, before_ms));
  // Whole files at once; the rest goes with the next compaction.
  const auto status =
      rocksdb::DeleteFilesInRange(&database_.db(), database_.changes(), &lower, &upper, false);
  if (!status.ok()) {
    log_warning("old changes could not be dropped: " + status.ToString());
  }
}

// The longer the log, the longer a start after a crash. A store at rest has a short one.
void Housekeeper::flush_when_idle() {
  const uint64_t sequence = database_.db().GetLatestSequenceNumber();
  const bool idle = sequence == last_sequence_;
  last_sequence_ = sequence;
  if (idle && database_.unflushed_bytes() > unflushed_bytes_max) {
    database_.flush(Database::Wait::no);
  }
}

}  // namespace waybill::engine
