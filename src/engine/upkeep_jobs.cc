#include "engine/upkeep_jobs.h"

#include <memory>
#include <set>

#include "base/log.h"
#include "engine/layout.h"
#include "engine/ruled.h"
#include "table/key.h"

namespace waybill::engine {

namespace {

constexpr int piece_items_max = 256;
constexpr std::size_t piece_bytes_max = 1 << 20;

// Those of `minutes` whose table or index is still there. Tables are many, and what was used is few.
std::set<table::SpaceId> living_spaces(const std::vector<usage::SpaceMinute>& minutes,
                                       const WriterState& state) {
  std::set<table::SpaceId> asked;
  for (const auto& minute : minutes) {
    asked.insert(minute.space);
  }
  std::set<table::SpaceId> living;
  const auto keep = [&](table::SpaceId space) {
    if (asked.contains(space)) {
      living.insert(space);
    }
  };
  for (const auto& [name, table] : state.tables) {
    keep(table->space);
    for (const auto& index : table->indexes) {
      keep(index.space);
    }
  }
  return living;
}

Result<usage::Minute> read_minute(const Database& database, const usage::SpaceMinute& which) {
  rocksdb::PinnableSlice stored;
  WAYBILL_TRY_ASSIGN(const bool found,
                     database.get(database.usage(), layout::usage_key(which.space, which.minute), stored));
  return found ? usage::decode(view(stored)).value_or(usage::Minute()) : usage::Minute();
}

}  // namespace

void BackfillJob::decide(Batch& batch) {
  const table::Table* table = batch.state().find(table_);
  const auto filled = batch.state().filled_up_to.find(index_);
  if (table == nullptr || filled == batch.state().filled_up_to.end()) {
    complete_ = true;
    return;
  }
  const std::string end = layout::full_key(table_ + 1, {});
  const rocksdb::Slice upper = slice(end);
  rocksdb::ReadOptions options;
  options.iterate_upper_bound = &upper;
  options.fill_cache = false;
  const std::unique_ptr<rocksdb::Iterator> at(
      batch.database().db().NewIterator(options, batch.database().items()));
  // The byte behind the last key that was done is the first that may be new.
  std::string from = layout::full_key(table_, filled->second);
  if (!filled->second.empty()) {
    from.push_back('\0');
  }
  std::string last = filled->second;
  int items = 0;
  for (at->Seek(slice(from)); at->Valid(); at->Next()) {
    if (items++ == piece_items_max || batch.size_bytes() > piece_bytes_max) {
      batch.note_filled(index_, last);
      return;
    }
    last = std::string(view(at->key()).substr(sizeof(table::SpaceId)));
    add(*table, last, view(at->value()), batch);
  }
  if (!at->status().ok()) {
    log_error("filling an index of table " + table->name + " stopped: " + at->status().ToString());
    complete_ = true;
    return;
  }
  complete(*table, batch);
  complete_ = true;
}

void BackfillJob::add(const table::Table& table, std::string_view key, std::string_view record,
                      Batch& batch) const {
  if (table.ttl.has_index() && table.ttl.space == index_) {
    batch.add_expiry(table, key, record);
    return;
  }
  for (const auto& index : table.indexes) {
    if (index.space == index_) {
      batch.add_entry(table, index, key, record);
    }
  }
}

void BackfillJob::complete(const table::Table& table, Batch& batch) const {
  auto next = std::make_shared<table::Table>(table);
  for (auto& index : next->indexes) {
    if (index.space == index_) {
      index.backfilling = false;
    }
  }
  if (next->ttl.space == index_) {
    next->ttl.backfilling = false;
  }
  batch.forget_filled(index_);
  batch.put_table(std::move(next));
}

void RecordUsageJob::decide(Batch& batch) {
  const auto living = living_spaces(minutes_, batch.state());
  for (const auto& minute : minutes_) {
    if (!living.contains(minute.space)) {
      continue;
    }
    const auto known = read_minute(batch.database(), minute);
    if (!known) {
      log_error("a minute's usage could not be written down: " + known.error().detail);
      continue;
    }
    batch.put_usage(minute.space, minute.minute, usage::merged(*known, minute.used));
  }
}

void SweepJob::decide(Batch& batch) {
  const table::Table* table = batch.state().find(table_);
  if (table == nullptr || !rules_of(*table, batch)) {
    return;
  }
  for (const auto& key : keys_) {
    rocksdb::PinnableSlice stored;
    const auto found = batch.read(table_, key, stored);
    if (!found || !*found) {
      continue;
    }
    const auto record = layout::read_record(view(stored));
    if (table::is_expired(table->ttl, record.item, batch.now_seconds())) {
      if (const auto applied = apply_expiry(*table, key, record.item, batch); !applied) {
        log_error("an item of table " + table->name +
                  " whose time is over stays: " + applied.error().message);
        continue;
      }
      batch.replace(*table, key, view(stored), Batch::Was::expired, std::nullopt, nullptr);
    }
  }
}

}  // namespace waybill::engine
