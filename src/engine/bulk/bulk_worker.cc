#include "engine/bulk/bulk_worker.h"

#include <chrono>
#include <filesystem>
#include <future>
#include <limits>
#include <system_error>
#include <utility>

#include "base/log.h"
#include "base/thread_name.h"
#include "engine/bulk/bulk_jobs.h"
#include "engine/bulk/past_rows.h"
#include "engine/bulk/table_builder.h"

namespace waybill::engine {

namespace {

constexpr auto retry_interval = std::chrono::seconds(10);

// Where an attempt ends because the store is being closed.
const Error closing{ErrorKind::unavailable, "the store is being closed", {}};

}  // namespace

BulkWorker::BulkWorker(const Database& database, const Catalog& catalog, Writer& writer, Options options)
    : database_(database), catalog_(catalog), writer_(writer), options_(std::move(options)) {
  remove_leftovers();
  thread_ = std::thread([this] { run(); });
}

BulkWorker::~BulkWorker() {
  stopping_.store(true);
  wake();
  thread_.join();
}

void BulkWorker::wake() {
  {
    const std::lock_guard lock(mutex_);
    woken_ = true;
  }
  woken_condition_.notify_one();
}

void BulkWorker::lend(const std::string& backup_id, MomentPtr moment) {
  const std::lock_guard lock(mutex_);
  moments_.insert_or_assign(backup_id, std::move(moment));
}

MomentPtr BulkWorker::take_moment(const std::string& backup_id) {
  {
    const std::lock_guard lock(mutex_);
    if (auto found = moments_.extract(backup_id)) {
      return std::move(found.mapped());
    }
  }
  return std::make_shared<const Moment>(database_.db());
}

void BulkWorker::run() {
  name_this_thread("bulk");
  while (!stopping()) {
    const bool done = do_all();
    std::unique_lock lock(mutex_);
    const auto is_woken = [this] { return woken_; };
    if (done) {
      woken_condition_.wait(lock, is_woken);
    } else {
      woken_condition_.wait_for(lock, retry_interval, is_woken);
    }
    woken_ = false;
  }
}

void BulkWorker::remove_leftovers() const {
  namespace fs = std::filesystem;
  const fs::path prefix(options_.scratch_prefix);
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator(prefix.parent_path(), failure)) {
    if (entry.path().filename().string().starts_with(prefix.filename().string())) {
      std::error_code ignored;
      fs::remove(entry.path(), ignored);
    }
  }
}

// False where something failed that should be tried again.
bool BulkWorker::do_all() {
  bool done = true;
  const auto note = [&](const std::string& what, const Status& status) {
    if (!status && !stopping()) {
      log_error(what + " did not succeed and will be tried again: " + status.error().message);
      done = false;
    }
  };
  for (const auto& backup : catalog_.backups()) {
    if (!backup->available && !stopping()) {
      note("backup " + backup->name + " of table " + backup->table.name, make_backup(backup));
    }
  }
  const auto tables = catalog_.tables();
  for (const auto& [name, table] : *tables) {
    const bool is_ours = table->origin.kind != table::OriginKind::import;
    if (table->state == table::TableState::being_made && is_ours && !stopping()) {
      note("restoring table " + name, make_table(table));
    }
  }
  return done;
}

template <typename TheJob, typename... Arguments>
void BulkWorker::commit(Arguments... arguments) {
  std::promise<void> done;
  auto committed = done.get_future();
  writer_.submit(std::make_unique<TheJob>(std::move(arguments)..., std::move(done)));
  committed.wait();
}

template <typename Builder>
Status BulkWorker::copy(RowSource& rows, Builder& builder) const {
  while (!stopping()) {
    WAYBILL_TRY_ASSIGN(const bool more, rows.next());
    if (!more) {
      return builder.finish();
    }
    WAYBILL_TRY(builder.add(rows.key(), rows.record()));
  }
  return closing;
}

bool BulkWorker::holds_nothing(rocksdb::ColumnFamilyHandle* family, table::SpaceId space) const {
  SpaceRows rows(database_, family, space, std::make_shared<const Moment>(database_.db()));
  const auto more = rows.next();
  return more && !*more;
}

bool BulkWorker::is_untouched(const table::Table& table) const {
  for (const auto& index : table.indexes) {
    if (!holds_nothing(database_.entries(), index.space)) {
      return false;
    }
  }
  return holds_nothing(database_.items(), table.space);
}

Result<std::unique_ptr<RowSource>> BulkWorker::rows_for(const table::Table& table) const {
  auto moment = std::make_shared<const Moment>(database_.db());
  const auto& origin = table.origin;
  if (origin.kind == table::OriginKind::backup) {
    for (const auto& backup : catalog_.backups()) {
      if (backup->id == origin.backup_id) {
        return std::unique_ptr<RowSource>(
            std::make_unique<SpaceRows>(database_, database_.backups(), backup->space, std::move(moment)));
      }
    }
    return Error{ErrorKind::backup_not_found, "its backup " + origin.backup_id + " is gone", {}};
  }
  const auto source = catalog_.find(origin.table_name);
  if (!source || source->space != origin.table_space) {
    return Error{ErrorKind::table_not_found, "its source " + origin.table_name + " is gone", {}};
  }
  WAYBILL_TRY_ASSIGN(auto rows, PastRows::open(database_, options_.scratch_prefix, *source,
                                               {origin.until, origin.moment_ms}, moment));
  return std::unique_ptr<RowSource>(std::move(rows));
}

Status BulkWorker::make_table(table::TablePtr table) {
  if (!is_untouched(*table)) {
    commit<RenewTableJob>(table->name);
    table = catalog_.find(table->name);
  }
  const auto started_ms = options_.clock->steady_ms();
  WAYBILL_TRY_ASSIGN(const auto rows, rows_for(*table));
  TableBuilder builder(database_, options_.scratch_prefix, *table);
  WAYBILL_TRY(copy(*rows, builder));
  commit<FinishTableJob>(table, builder.counts());
  log_info("table " + table->name + " is restored from " + table->origin.table_name + ": " +
           std::to_string(builder.counts().front().second.items) + " items in " +
           std::to_string(options_.clock->steady_ms() - started_ms) + " ms");
  return {};
}

Status BulkWorker::make_backup(table::BackupPtr backup) {
  if (!holds_nothing(database_.backups(), backup->space)) {
    commit<RenewBackupJob>(backup->id);
    backup = catalog_.find_backup(backup->id);
  }
  // With nothing undone: what is left out is what had expired.
  constexpr table::ChangePlace end_of_time{std::numeric_limits<int64_t>::max(), 0};
  WAYBILL_TRY_ASSIGN(const auto rows,
                     PastRows::open(database_, options_.scratch_prefix, backup->table,
                                    {end_of_time, backup->created_ms}, take_moment(backup->id)));
  SpaceBuilder builder(database_, database_.backups(), options_.scratch_prefix, backup->space);
  WAYBILL_TRY(copy(*rows, builder));
  commit<FinishBackupJob>(backup, builder.counts());
  log_info("backup " + backup->name + " of table " + backup->table.name +
           " is made: " + std::to_string(builder.counts().items) + " items");
  return {};
}

}  // namespace waybill::engine
