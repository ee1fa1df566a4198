#include "engine/bulk/bulk_jobs.h"

#include <algorithm>
#include <memory>

namespace waybill::engine {

namespace {

Error no_such_backup(const std::string& id) {
  return Error{ErrorKind::backup_not_found, "Backup not found: " + id, {}};
}

}  // namespace

Result<table::TablePtr> BeginRestoreJob::change(Batch& batch) {
  WAYBILL_TRY_ASSIGN(auto table, source_.backup_id.empty() ? from_past(batch) : from_backup(batch));
  if (batch.state().tables.contains(table.name)) {
    return Error{ErrorKind::table_exists, "Table already exists: " + table.name, {}};
  }
  WAYBILL_TRY(check_table_count(batch));
  table.state = table::TableState::being_made;
  give_spaces(table, batch);
  auto begun = std::make_shared<const table::Table>(std::move(table));
  batch.put_table(begun);
  return table::TablePtr(begun);
}

Result<table::Table> BeginRestoreJob::from_past(Batch& batch) {
  WAYBILL_TRY_ASSIGN(const auto source, find_ready_table(batch.state(), source_.table));
  if (!source->recovery.enabled) {
    return Error{ErrorKind::recovery_unavailable,
                 "Point in time recovery is not enabled for table '" + source->name + "'",
                 {}};
  }
  const int64_t now_ms = std::max(batch.now_ms(), source->recovery.since_ms);
  const int64_t moment_ms = source_.time_ms.value_or(now_ms);
  if (moment_ms < source->recovery.earliest_ms(now_ms) || moment_ms > now_ms) {
    return Error{
        ErrorKind::invalid_restore_time,
        "RestoreDateTime must be between EarliestRestorableDateTime and LatestRestorableDateTime of table '" +
            source->name + "'",
        {}};
  }
  WAYBILL_TRY_ASSIGN(auto table, make_(*source));
  // Whatever is committed behind this job happens after that moment.
  batch.let_time_reach(moment_ms + 1);
  table.origin = {table::OriginKind::past, source->name, source->space, {moment_ms + 1, 0}, {}, moment_ms};
  return table;
}

Result<table::Table> BeginRestoreJob::from_backup(Batch& batch) {
  const auto found = batch.state().backups.find(source_.backup_id);
  if (found == batch.state().backups.end()) {
    return no_such_backup(source_.backup_id);
  }
  const auto& backup = *found->second;
  if (!backup.available) {
    return Error{ErrorKind::backup_in_use, "Backup is being created: " + backup.id, {}};
  }
  WAYBILL_TRY_ASSIGN(auto table, make_(backup.table));
  table.origin = {table::OriginKind::backup, backup.table.name, 0, {}, backup.id, backup.created_ms};
  return table;
}

void FinishTableJob::decide(Batch& batch) {
  const table::Table* current = batch.state().find(table_->space);
  if (current == nullptr || current->state != table::TableState::being_made) {
    return;
  }
  auto ready = std::make_shared<table::Table>(*current);
  ready->state = table::TableState::ready;
  batch.put_table(std::move(ready));
  for (const auto& [space, counted] : counts_) {
    batch.add_counts(space, counted);
  }
}

void RenewTableJob::decide(Batch& batch) {
  const auto found = batch.state().tables.find(name_);
  if (found == batch.state().tables.end() || found->second->state != table::TableState::being_made) {
    return;
  }
  auto renewed = std::make_shared<table::Table>(*found->second);
  batch.remove_table(*renewed);
  give_spaces(*renewed, batch);
  batch.put_table(std::move(renewed));
}

Result<table::BackupPtr> BeginBackupJob::begin(Batch& batch) const {
  WAYBILL_TRY_ASSIGN(const auto table, find_ready_table(batch.state(), wanted_.table));
  table::Backup backup;
  backup.id = wanted_.id;
  backup.name = wanted_.name;
  backup.created_ms = batch.now_ms();
  backup.space = batch.new_space();
  backup.table = *table;
  const auto counts = batch.state().stats.find(table->space);
  if (counts != batch.state().stats.end()) {
    backup.items = counts->second.items;
    backup.bytes = counts->second.bytes;
  }
  auto begun = std::make_shared<const table::Backup>(std::move(backup));
  batch.put_backup(begun);
  return table::BackupPtr(begun);
}

void BeginBackupJob::decide(Batch& batch) {
  database_ = &batch.database();
  result_ = begin(batch);
}

// On the writer's thread, before the next batch: what the moment shows is what has been answered so far.
void BeginBackupJob::finish() {
  if (result_) {
    begun_(**result_, std::make_shared<const Moment>(database_->db()));
  }
  done_(std::move(result_));
}

void FinishBackupJob::decide(Batch& batch) {
  const auto found = batch.state().backups.find(backup_->id);
  if (found == batch.state().backups.end()) {
    return;
  }
  auto made = std::make_shared<table::Backup>(*found->second);
  made->available = true;
  made->items = counts_.items;
  made->bytes = counts_.bytes;
  batch.put_backup(made);
  const table::Table* table = batch.state().find(made->table.space);
  if (made->by_service && table != nullptr && table->state == table::TableState::being_deleted) {
    batch.remove_table(*table);
  }
}

void RenewBackupJob::decide(Batch& batch) {
  const auto found = batch.state().backups.find(id_);
  if (found == batch.state().backups.end() || found->second->available) {
    return;
  }
  auto renewed = std::make_shared<table::Backup>(*found->second);
  batch.drop_backup_rows(renewed->space);
  renewed->space = batch.new_space();
  batch.put_backup(std::move(renewed));
}

Result<table::BackupPtr> DeleteBackupJob::remove(Batch& batch) const {
  const auto found = batch.state().backups.find(id_);
  if (found == batch.state().backups.end()) {
    return no_such_backup(id_);
  }
  table::BackupPtr backup = found->second;
  const bool is_read = std::ranges::any_of(batch.state().tables, [&](const auto& entry) {
    return entry.second->state == table::TableState::being_made && entry.second->origin.backup_id == id_;
  });
  if (!backup->available || is_read) {
    return Error{ErrorKind::backup_in_use,
                 (is_read ? "Backup is being used for a restore: " : "Backup is being created: ") + id_,
                 {}};
  }
  batch.remove_backup(*backup);
  return backup;
}

}  // namespace waybill::engine
