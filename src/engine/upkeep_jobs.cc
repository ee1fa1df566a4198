#include "engine/upkeep_jobs.h"

#include <memory>

#include "base/log.h"
#include "engine/layout.h"
#include "table/key.h"

namespace waybill::engine {

namespace {

constexpr int piece_items_max = 256;
constexpr std::size_t piece_bytes_max = 1 << 20;

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
  if (table.ttl.enabled() && table.ttl.space == index_) {
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

void SweepJob::decide(Batch& batch) {
  const table::Table* table = batch.state().find(table_);
  if (table == nullptr) {
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
      batch.replace(*table, key, view(stored), Batch::Was::expired, std::nullopt, nullptr);
    }
  }
}

}  // namespace waybill::engine
