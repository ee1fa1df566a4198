#include "engine/table_jobs.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace waybill::engine {

namespace {

constexpr std::size_t tables_max = 2500;

Result<table::TablePtr> find(const WriterState& state, const std::string& name) {
  const auto found = state.tables.find(name);
  if (found == state.tables.end()) {
    return Error{ErrorKind::not_found, "Requested resource not found: Table: " + name + " not found", {}};
  }
  return found->second;
}

std::vector<table::SpaceId> spaces_of(const table::Table& table) {
  std::vector<table::SpaceId> spaces;
  spaces.reserve(table.indexes.size() + 1);
  for (const auto& index : table.indexes) {
    spaces.push_back(index.space);
  }
  if (table.ttl.has_index()) {
    spaces.push_back(table.ttl.space);
  }
  return spaces;
}

// Gives indexes that are new their space; they are filled from the beginning.
void begin_filling(table::Table& table, Batch& batch) {
  for (auto& index : table.indexes) {
    if (index.space == 0) {
      index.space = batch.new_space();
      index.backfilling = true;
      batch.note_filled(index.space, {});
    }
  }
  if (table.ttl.has_index() && table.ttl.space == 0) {
    table.ttl.space = batch.new_space();
    table.ttl.backfilling = true;
    batch.note_filled(table.ttl.space, {});
  }
}

// Begins and ends what the table's settings say of its log.
void switch_log(const table::Table* before, table::Table& after, Batch& batch) {
  const bool was_on = before != nullptr && before->stream.enabled;
  if (after.keeps_log() && after.log == 0) {
    after.log = batch.new_space();
  }
  if (after.recovery.enabled && (before == nullptr || !before->recovery.enabled)) {
    after.recovery.since_ms = batch.log_ms();
    batch.let_time_reach(batch.log_ms());
  }
  if (was_on && !after.stream.enabled) {
    batch.end_stream(*before);
  }
  if (!was_on && after.stream.enabled) {
    after.stream.label = batch.begin_stream(after);
  }
}

void drop_what_is_gone(const table::Table& before, const table::Table& after, Batch& batch) {
  const auto kept = spaces_of(after);
  for (const auto space : spaces_of(before)) {
    if (std::find(kept.begin(), kept.end(), space) == kept.end()) {
      batch.drop_index(space);
    }
  }
}

// A table is changed only while it is there for everybody.
Status check_ready(const table::Table& table) {
  if (table.state == table::TableState::ready) {
    return {};
  }
  const bool is_made = table.state == table::TableState::being_made;
  return Error{ErrorKind::in_use,
               std::string("Attempt to change a resource which is still in use: Table is being ") +
                   (is_made ? "created: " : "deleted: ") + table.name,
               {}};
}

// Whether nobody reads what the table was.
Status check_not_read(const WriterState& state, const table::Table& table) {
  for (const auto& [name, other] : state.tables) {
    if (other->state == table::TableState::being_made && other->origin.table_space == table.space) {
      return Error{ErrorKind::in_use,
                   "Attempt to change a resource which is still in use: Table is being restored to " + name +
                       ": " + table.name,
                   {}};
    }
  }
  for (const auto& [note, held] : state.held) {
    if (held.space == table.space) {
      return Error{
          ErrorKind::in_use,
          "Attempt to change a resource which is still in use: Table is being exported: " + table.name,
          {}};
    }
  }
  return {};
}

}  // namespace

void give_spaces(table::Table& table, Batch& batch) {
  table.space = batch.new_space();
  for (auto& index : table.indexes) {
    index.space = batch.new_space();
    index.backfilling = false;
  }
  if (table.ttl.has_index()) {
    table.ttl.space = batch.new_space();
  }
}

Status check_table_count(const Batch& batch) {
  if (batch.state().tables.size() < tables_max) {
    return {};
  }
  return Error{ErrorKind::limit_exceeded,
               "Subscriber limit exceeded: There is a limit of " + std::to_string(tables_max) +
                   " tables per subscriber",
               {}};
}

Result<table::TablePtr> find_ready_table(const WriterState& state, const std::string& name) {
  const auto found = state.tables.find(name);
  if (found == state.tables.end() || found->second->state == table::TableState::being_deleted) {
    return Error{ErrorKind::table_not_found, "Table not found: " + name, {}};
  }
  if (found->second->state != table::TableState::ready) {
    return Error{ErrorKind::table_in_use, "Table is being created: " + name, {}};
  }
  return found->second;
}

Result<table::TablePtr> add_table(table::Table table, Batch& batch) {
  if (batch.state().tables.contains(table.name)) {
    return Error{ErrorKind::in_use, "Table already exists: " + table.name, {}};
  }
  WAYBILL_TRY(check_table_count(batch));
  give_spaces(table, batch);
  switch_log(nullptr, table, batch);
  auto added = std::make_shared<const table::Table>(std::move(table));
  batch.put_table(added);
  return table::TablePtr(added);
}

Result<table::TablePtr> CreateTableJob::change(Batch& batch) {
  return add_table(std::move(table_), batch);
}

Result<table::TablePtr> ChangeTableJob::change(Batch& batch) {
  WAYBILL_TRY_ASSIGN(const table::TablePtr before, find(batch.state(), name_));
  WAYBILL_TRY(check_ready(*before));
  WAYBILL_TRY_ASSIGN(table::Table after, change_(*before));
  WAYBILL_CHECK(after.space == before->space && after.name == before->name);
  if (before->recovery.enabled && !after.recovery.enabled) {
    // From then on the log does not tell any more what was before.
    WAYBILL_TRY(check_not_read(batch.state(), *before));
  }
  begin_filling(after, batch);
  drop_what_is_gone(*before, after, batch);
  switch_log(before.get(), after, batch);
  auto changed = std::make_shared<const table::Table>(std::move(after));
  batch.put_table(changed);
  return table::TablePtr(changed);
}

// A table that could be taken back in time leaves a backup of its last moment, and goes when that is made.
void DeleteTableJob::begin_last_backup(const table::Table& table, Batch& batch) const {
  auto going = std::make_shared<table::Table>(table);
  if (table.stream.enabled) {
    batch.end_stream(table);
    going->stream.enabled = false;
  }
  going->recovery.enabled = false;
  going->state = table::TableState::being_deleted;
  auto backup = std::make_shared<table::Backup>();
  backup->id = backup_id_;
  backup->name = table.name + "$DeletedTableBackup";
  backup->by_service = true;
  backup->created_ms = batch.now_ms();
  backup->expires_ms = batch.now_ms() + table::service_backup_life_ms;
  backup->space = batch.new_space();
  backup->table = table;
  batch.put_backup(std::move(backup));
  batch.put_table(std::move(going));
}

Result<table::TablePtr> DeleteTableJob::change(Batch& batch) {
  WAYBILL_TRY_ASSIGN(table::TablePtr table, find(batch.state(), name_));
  WAYBILL_TRY(check_ready(*table));
  WAYBILL_TRY(check_not_read(batch.state(), *table));
  WAYBILL_TRY(check_(*table));
  if (table->has_rules) {
    return invalid("Table " + name_ + " is the table of a contract: take the contract out of force first");
  }
  if (table->recovery.enabled) {
    begin_last_backup(*table, batch);
  } else {
    batch.remove_table(*table);
  }
  return table;
}

}  // namespace waybill::engine
