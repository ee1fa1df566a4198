#include "engine/reader.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>

#include "base/log.h"
#include "engine/change_log.h"
#include "engine/layout.h"
#include "table/key.h"

namespace waybill::engine {

namespace {

// Holds what is seen together at one moment.
class Snapshot {
 public:
  explicit Snapshot(rocksdb::DB& db) : db_(db), snapshot_(db.GetSnapshot()) {}
  ~Snapshot() { db_.ReleaseSnapshot(snapshot_); }
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;
  const rocksdb::Snapshot* get() const { return snapshot_; }

 private:
  rocksdb::DB& db_;
  const rocksdb::Snapshot* snapshot_;
};

// For records that our own cache takes in: the block around each would take room that entries of indexes,
// which are next to each other, make better use of.
rocksdb::ReadOptions record_options() {
  rocksdb::ReadOptions options;
  options.fill_cache = false;
  return options;
}

// The moment as of which a read sees the store, or an earlier one where it sees the present.
uint64_t sequence_of(const Database& database, const rocksdb::ReadOptions& options) {
  return options.snapshot != nullptr ? options.snapshot->GetSequenceNumber()
                                     : database.db().GetLatestSequenceNumber();
}

// Walks the entries of a range in its direction.
class RangeIterator {
 public:
  RangeIterator(const Database& database, const store::Range& range, rocksdb::ReadOptions options)
      : range_(range), begin_(layout::full_key(space(), range.begin)), end_(end_of(range)) {
    lower_ = slice(begin_);
    upper_ = slice(end_);
    options.iterate_lower_bound = &lower_;
    options.iterate_upper_bound = &upper_;
    at_.reset(
        database.db().NewIterator(options, range.index != nullptr ? database.entries() : database.items()));
    range.forward ? at_->Seek(lower_) : at_->SeekToLast();
  }

  bool valid() const { return at_->Valid(); }
  void next() { range_.forward ? at_->Next() : at_->Prev(); }
  std::string_view key() const { return view(at_->key()).substr(sizeof(table::SpaceId)); }
  std::string_view value() const { return view(at_->value()); }

  Status status() const {
    if (at_->status().ok()) {
      return {};
    }
    log_error("reading from table " + range_.table->name + ": " + at_->status().ToString());
    return to_error(at_->status());
  }

 private:
  table::SpaceId space() const { return range_.index != nullptr ? range_.index->space : range_.table->space; }
  std::string end_of(const store::Range& range) const {
    return range.end.empty() ? layout::full_key(space() + 1, {}) : layout::full_key(space(), range.end);
  }

  const store::Range& range_;
  const std::string begin_;
  const std::string end_;
  rocksdb::Slice lower_;  // the iterator refers to them
  rocksdb::Slice upper_;
  std::unique_ptr<rocksdb::Iterator> at_;
};

// Index entries and the items they stand for. Those that are not in the cache are read together: RocksDB then
// goes through its files and filters once for all.
class ItemGroup {
 public:
  static constexpr std::size_t size_max = 32;  // what RocksDB takes at once

  ItemGroup(const Database& database, const store::Range& range) : database_(database), range_(range) {}

  std::size_t size() const { return size_; }
  std::string_view key(std::size_t i) const { return piece(keys_, entries_[i].key); }
  std::string_view record(std::size_t i) const {
    const Entry& entry = entries_[i];
    return entry.cached ? piece(copies_, entry.copy) : view(records_[entry.fetched]);
  }

  void clear() {
    for (std::size_t i = 0; i < size_; ++i) {
      records_[i].Reset();
    }
    size_ = 0;
    keys_.clear();
    item_keys_.clear();
    copies_.clear();
  }

  void add(std::string_view entry_key) {
    // The item's key is the end of its entry's key; in the store it stands behind the table's space.
    const auto primary = table::primary_of_entry(*range_.index, entry_key);
    Entry& entry = entries_[size_++];
    entry = Entry{};
    entry.key = {keys_.size(), entry_key.size()};
    keys_.append(entry_key);
    entry.item_key = {item_keys_.size(), sizeof(table::SpaceId) + primary.size()};
    append_u32_be(item_keys_, range_.table->space);
    item_keys_.append(primary);
  }

  Status fetch(const rocksdb::ReadOptions& options) {
    const uint64_t moment = sequence_of(database_, options);
    std::array<std::string_view, size_max> keys;
    for (std::size_t i = 0; i < size_; ++i) {
      keys[i] = item_key(i);
    }
    database_.item_cache().look_ahead({keys.data(), size_});
    std::array<rocksdb::Slice, size_max> missing_keys;
    std::size_t missing = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      Entry& entry = entries_[i];
      entry.cached = database_.item_cache().find(keys[i], moment, [&](std::string_view record) {
        entry.copy = {copies_.size(), record.size()};
        copies_.append(record);
      });
      if (!entry.cached) {
        entry.fetched = missing;
        missing_keys[missing++] = slice(keys[i]);
      }
    }
    return missing == 0 ? Status() : fetch_missing(options, moment, missing_keys.data(), missing);
  }

 private:
  struct Piece {
    std::size_t offset = 0;
    std::size_t length = 0;
  };
  struct Entry {
    Piece key;
    Piece item_key;
    Piece copy;               // of a record from the cache
    std::size_t fetched = 0;  // else where in records_ it is
    bool cached = false;
  };

  static std::string_view piece(const std::string& bytes, const Piece& piece) {
    return std::string_view(bytes).substr(piece.offset, piece.length);
  }
  std::string_view item_key(std::size_t i) const { return piece(item_keys_, entries_[i].item_key); }

  Status fetch_missing(const rocksdb::ReadOptions& options, uint64_t moment, const rocksdb::Slice* keys,
                       std::size_t count) {
    std::array<rocksdb::Status, size_max> statuses;
    database_.db().MultiGet(options, database_.items(), count, keys, records_.data(), statuses.data());
    for (std::size_t i = 0; i < count; ++i) {
      if (!statuses[i].ok()) {
        log_error("index " + range_.index->name + " of table " + range_.table->name +
                  " has an entry whose item cannot be read: " + statuses[i].ToString());
        return to_error(statuses[i]);
      }
      database_.item_cache().offer(view(keys[i]), view(records_[i]), moment);
    }
    return {};
  }

  const Database& database_;
  const store::Range& range_;
  std::size_t size_ = 0;
  std::string keys_;
  std::string item_keys_;
  std::string copies_;
  std::array<Entry, size_max> entries_;
  std::array<rocksdb::PinnableSlice, size_max> records_;
};

}  // namespace

Result<std::optional<store::Found>> Reader::get(const table::Table& table, std::string_view key) const {
  static const rocksdb::ReadOptions options = record_options();
  return get_at(options, table, key);
}

Result<std::optional<store::Found>> Reader::get_at(const rocksdb::ReadOptions& options,
                                                   const table::Table& table, std::string_view key) const {
  const layout::FullKey full(table.space, key);
  ItemCache& cache = database_.item_cache();
  std::optional<store::Found> found;
  const auto take = [&](std::string_view stored) {
    const auto record = layout::read_record(stored);
    if (!table::is_expired(table.ttl, record.item, clock_.wall_seconds())) {
      found.emplace(store::Found{item::Item{std::string(record.item.encoded())}, record.size_bytes});
    }
  };
  const uint64_t moment = sequence_of(database_, options);
  if (cache.find(full.view(), moment, take)) {
    return found;
  }
  rocksdb::PinnableSlice stored;
  const auto status = database_.db().Get(options, database_.items(), slice(full.view()), &stored);
  if (status.IsNotFound()) {
    return found;
  }
  if (!status.ok()) {
    log_error("reading from table " + table.name + ": " + status.ToString());
    return to_error(status);
  }
  cache.offer(full.view(), view(stored), moment);
  take(view(stored));
  return found;
}

Result<std::vector<std::optional<store::Found>>> Reader::get_together(
    const std::vector<store::GetRequest>& requests) const {
  const Snapshot snapshot(database_.db());
  rocksdb::ReadOptions options = record_options();
  options.snapshot = snapshot.get();
  std::vector<std::optional<store::Found>> all;
  all.reserve(requests.size());
  for (const auto& request : requests) {
    WAYBILL_TRY_ASSIGN(auto found, get_at(options, *request.table, request.key));
    all.push_back(std::move(found));
  }
  return all;
}

// An index may keep too little of an item to tell when it expires; then the item itself is asked.
Result<bool> Reader::is_alive(const store::Range& range, bool entry_knows_expiry, std::string_view key,
                              item::ItemView item, int64_t now_seconds) const {
  if (entry_knows_expiry) {
    return !table::is_expired(range.table->ttl, item, now_seconds);
  }
  WAYBILL_TRY_ASSIGN(const auto found, get(*range.table, table::primary_of_entry(*range.index, key)));
  return found.has_value();
}

Status Reader::read(const store::Range& range, store::Visitor& visitor) const {
  const bool entries_are_only_keys = range.index != nullptr && range.index->shows_whole_items();
  return entries_are_only_keys ? read_items(range, visitor) : read_entries(range, visitor);
}

Status Reader::read_entries(const store::Range& range, store::Visitor& visitor) const {
  const auto& ttl = range.table->ttl;
  const bool entry_knows_expiry = range.index == nullptr || !ttl.enabled() ||
                                  table::keeps_attribute(*range.table, *range.index, ttl.attribute);
  RangeIterator at(database_, range, rocksdb::ReadOptions());
  const int64_t now_seconds = clock_.wall_seconds();
  for (; at.valid(); at.next()) {
    const auto record = layout::read_record(at.value());
    WAYBILL_TRY_ASSIGN(const bool alive,
                       is_alive(range, entry_knows_expiry, at.key(), record.item, now_seconds));
    if (alive && !visitor.visit(at.key(), record.item, record.size_bytes)) {
      return {};
    }
  }
  return at.status();
}

// Entries that are only keys: the items are read from the table, a group at a time, as of the same moment.
Status Reader::read_items(const store::Range& range, store::Visitor& visitor) const {
  const Snapshot moment(database_.db());
  rocksdb::ReadOptions options;
  options.snapshot = moment.get();
  rocksdb::ReadOptions item_options = record_options();
  item_options.snapshot = moment.get();
  RangeIterator at(database_, range, options);
  const int64_t now_seconds = clock_.wall_seconds();
  ItemGroup group(database_, range);
  std::size_t left = range.count_wanted;
  while (at.valid()) {
    const std::size_t size = std::min(left > 0 ? left : ItemGroup::size_max, ItemGroup::size_max);
    group.clear();
    for (; group.size() < size && at.valid(); at.next()) {
      group.add(at.key());
    }
    WAYBILL_TRY(group.fetch(item_options));
    for (std::size_t i = 0; i < group.size(); ++i) {
      const auto record = layout::read_record(group.record(i));
      if (!table::is_expired(range.table->ttl, record.item, now_seconds) &&
          !visitor.visit(group.key(i), record.item, record.size_bytes)) {
        return {};
      }
    }
    left -= std::min(left, size);
  }
  return at.status();
}

Status Reader::read_changes(const store::ChangeRange& range, store::ChangeVisitor& visitor) const {
  const std::string begin = change_log::key(range.log, range.begin);
  const std::string end = change_log::key(range.log, range.end);
  const rocksdb::Slice upper = slice(end);
  rocksdb::ReadOptions options;
  options.iterate_upper_bound = &upper;
  const std::unique_ptr<rocksdb::Iterator> at(database_.db().NewIterator(options, database_.changes()));
  for (at->Seek(slice(begin)); at->Valid(); at->Next()) {
    const auto entry = change_log::read(view(at->value()));
    if (!entry.streamed) {
      continue;
    }
    store::Change change;
    change.place = change_log::place_of(view(at->key()));
    change.kind = entry.kind;
    change.expired = entry.expired;
    if (entry.before) {
      change.before = layout::read_record(*entry.before).item;
    }
    if (entry.after) {
      change.after = layout::read_record(*entry.after).item;
    }
    change.keys = entry.keys ? item::ItemView(*entry.keys) : change.after ? *change.after : *change.before;
    if (!visitor.visit(change)) {
      return {};
    }
  }
  return at->status().ok() ? Status() : Status(to_error(at->status()));
}

Result<table::ChangePlace> Reader::end_of_log(table::SpaceId log) const {
  const std::string begin = change_log::key(log, {});
  const std::string end = change_log::key(log + 1, {});
  const rocksdb::Slice lower = slice(begin);
  const rocksdb::Slice upper = slice(end);
  rocksdb::ReadOptions options;
  options.iterate_lower_bound = &lower;
  options.iterate_upper_bound = &upper;
  const std::unique_ptr<rocksdb::Iterator> at(database_.db().NewIterator(options, database_.changes()));
  at->SeekToLast();
  if (!at->status().ok()) {
    return to_error(at->status());
  }
  if (!at->Valid()) {
    return table::ChangePlace();
  }
  table::ChangePlace place = change_log::place_of(view(at->key()));
  ++place.number;
  return place;
}

uint64_t Reader::approximate_bytes(table::SpaceId space, std::string_view begin, std::string_view end) const {
  const std::string from = layout::full_key(space, begin);
  const std::string to = end.empty() ? layout::full_key(space + 1, {}) : layout::full_key(space, end);
  const rocksdb::Range range(slice(from), slice(to));
  rocksdb::SizeApproximationOptions options;
  options.include_memtables = true;
  uint64_t sum = 0;
  for (auto* const family : {database_.items(), database_.entries()}) {  // a space stands in one of them
    uint64_t bytes = 0;
    database_.db().GetApproximateSizes(options, family, &range, 1, &bytes);
    sum += bytes;
  }
  return sum;
}

}  // namespace waybill::engine
