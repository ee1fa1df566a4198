#include "engine/bulk/table_builder.h"

#include <atomic>
#include <future>

#include "engine/index_entry.h"
#include "engine/layout.h"
#include "table/key.h"

namespace waybill::engine {

namespace {

constexpr std::size_t sort_memory_bytes = 128 << 20;  // of all indexes together

void set_full_key(std::string& full, table::SpaceId space, std::string_view key) {
  full.clear();
  append_u32_be(full, space);
  full.append(key);
}

rocksdb::IngestExternalFileArg files_for(rocksdb::ColumnFamilyHandle* family,
                                         const std::vector<std::string>& files) {
  rocksdb::IngestExternalFileArg part;
  part.column_family = family;
  part.external_files = files;
  part.options.move_files = true;
  part.options.write_global_seqno = false;
  return part;
}

Status take_over(const Database& database, const std::vector<rocksdb::IngestExternalFileArg>& parts) {
  const auto status = database.db().IngestExternalFiles(parts);
  if (!status.ok()) {
    return Error{ErrorKind::unavailable, "Files could not be taken over: " + status.ToString(), {}};
  }
  return {};
}

}  // namespace

TableBuilder::IndexFiles::IndexFiles(const Database& database, const std::string& prefix,
                                     std::size_t memory_bytes)
    : sorter(database, prefix + "sort-", memory_bytes, RowSorter::Keep::first_added),
      files(database, database.entries(), prefix + "entries-") {}

Status TableBuilder::IndexFiles::write(table::SpaceId space) {
  WAYBILL_TRY_ASSIGN(const auto rows, sorter.sorted());
  std::string key;
  for (;;) {
    WAYBILL_TRY_ASSIGN(const bool more, rows->next());
    if (!more) {
      return files.finish();
    }
    set_full_key(key, space, rows->key());
    WAYBILL_TRY(files.put(key, rows->record()));
  }
}

TableBuilder::TableBuilder(const Database& database, const std::string& scratch_prefix, table::Table table)
    : database_(database),
      table_(std::move(table)),
      items_(database, database.items(), scratch_prefix + "items-") {
  counts_.emplace_back(table_.space, store::Stats());
  for (const auto& index : table_.indexes) {
    const auto prefix = scratch_prefix + "index-" + std::to_string(indexes_.size()) + "-";
    indexes_.push_back(
        std::make_unique<IndexFiles>(database, prefix, sort_memory_bytes / table_.indexes.size()));
    counts_.emplace_back(index.space, store::Stats());
  }
}

void TableBuilder::count(std::size_t place, uint32_t bytes) {
  ++counts_[place].second.items;
  counts_[place].second.bytes += bytes;
}

Status TableBuilder::add(std::string_view key, std::string_view record) {
  const auto version = layout::read_record(record);
  set_full_key(key_, table_.space, key);
  WAYBILL_TRY(items_.put(key_, record));
  count(0, version.size_bytes);
  for (std::size_t i = 0; i < table_.indexes.size(); ++i) {
    const auto& index = table_.indexes[i];
    const auto entry_key = table::entry_key(index, version.item, key);
    if (!entry_key) {
      continue;
    }
    std::string projected;
    const auto entry = entry_record(table_, index, version, projected);
    record_.clear();
    if (!index.shows_whole_items()) {
      record_.append(layout::RecordHead(entry.size_bytes).view()).append(entry.item.encoded());
    }
    WAYBILL_TRY(indexes_[i]->sorter.add(*entry_key, record_));
    count(i + 1, entry.size_bytes);
  }
  return {};
}

Status TableBuilder::finish() {
  WAYBILL_TRY(items_.finish());
  WAYBILL_TRY(write_indexes());
  return hand_over();
}

// Two at a time: most of it is sorting.
Status TableBuilder::write_indexes() {
  std::atomic<std::size_t> next{0};
  const auto work = [&]() -> Status {
    for (std::size_t i = next++; i < indexes_.size(); i = next++) {
      WAYBILL_TRY(indexes_[i]->write(table_.indexes[i].space));
    }
    return {};
  };
  auto beside = std::async(indexes_.size() > 1 ? std::launch::async : std::launch::deferred, work);
  const auto here = work();
  const auto there = beside.get();
  return here ? there : here;
}

Status TableBuilder::hand_over() {
  std::vector<rocksdb::IngestExternalFileArg> parts;
  if (!items_.files().empty()) {
    parts.push_back(files_for(database_.items(), items_.files()));
  }
  std::vector<std::string> entries;
  for (const auto& index : indexes_) {
    entries.insert(entries.end(), index->files.files().begin(), index->files.files().end());
  }
  if (!entries.empty()) {
    parts.push_back(files_for(database_.entries(), entries));
  }
  return parts.empty() ? Status() : take_over(database_, parts);
}

SpaceBuilder::SpaceBuilder(const Database& database, rocksdb::ColumnFamilyHandle* family,
                           const std::string& scratch_prefix, table::SpaceId space)
    : database_(database),
      family_(family),
      space_(space),
      files_(database, family, scratch_prefix + "rows-") {}

Status SpaceBuilder::add(std::string_view key, std::string_view record) {
  set_full_key(key_, space_, key);
  ++counts_.items;
  counts_.bytes += layout::read_record(record).size_bytes;
  return files_.put(key_, record);
}

Status SpaceBuilder::finish() {
  WAYBILL_TRY(files_.finish());
  return files_.files().empty() ? Status() : take_over(database_, {files_for(family_, files_.files())});
}

}  // namespace waybill::engine
