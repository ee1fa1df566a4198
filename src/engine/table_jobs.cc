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
  if (table.ttl.enabled()) {
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
  if (table.ttl.enabled() && table.ttl.space == 0) {
    table.ttl.space = batch.new_space();
    table.ttl.backfilling = true;
    batch.note_filled(table.ttl.space, {});
  }
}

// Begins or ends the table's stream where its settings say so.
void switch_stream(const table::Table* before, table::Table& after, Batch& batch) {
  const bool was_on = before != nullptr && before->stream.enabled;
  if (was_on && !after.stream.enabled) {
    batch.end_stream(*before);
  }
  if (!was_on && after.stream.enabled) {
    if (after.log == 0) {
      after.log = batch.new_space();
    }
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

}  // namespace

Result<table::TablePtr> CreateTableJob::change(Batch& batch) {
  const auto& tables = batch.state().tables;
  if (tables.contains(table_.name)) {
    return Error{ErrorKind::in_use, "Table already exists: " + table_.name, {}};
  }
  if (tables.size() >= tables_max) {
    return Error{ErrorKind::limit_exceeded,
                 "Subscriber limit exceeded: There is a limit of " + std::to_string(tables_max) +
                     " tables per subscriber",
                 {}};
  }
  table_.space = batch.new_space();
  for (auto& index : table_.indexes) {
    index.space = batch.new_space();
    index.backfilling = false;
  }
  if (table_.ttl.enabled()) {
    table_.ttl.space = batch.new_space();
  }
  switch_stream(nullptr, table_, batch);
  auto created = std::make_shared<const table::Table>(std::move(table_));
  batch.put_table(created);
  return table::TablePtr(created);
}

Result<table::TablePtr> ChangeTableJob::change(Batch& batch) {
  WAYBILL_TRY_ASSIGN(const table::TablePtr before, find(batch.state(), name_));
  WAYBILL_TRY_ASSIGN(table::Table after, change_(*before));
  WAYBILL_CHECK(after.space == before->space && after.name == before->name);
  begin_filling(after, batch);
  drop_what_is_gone(*before, after, batch);
  switch_stream(before.get(), after, batch);
  auto changed = std::make_shared<const table::Table>(std::move(after));
  batch.put_table(changed);
  return table::TablePtr(changed);
}

Result<table::TablePtr> DeleteTableJob::change(Batch& batch) {
  WAYBILL_TRY_ASSIGN(table::TablePtr table, find(batch.state(), name_));
  WAYBILL_TRY(check_(*table));
  batch.remove_table(*table);
  return table;
}

}  // namespace waybill::engine
