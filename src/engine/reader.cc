#include "engine/reader.h"

#include <memory>
#include <string>

#include "base/log.h"
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

}  // namespace

Result<std::optional<store::Found>> Reader::get(const table::Table& table, std::string_view key) const {
  return get_at(rocksdb::ReadOptions(), table, key);
}

Result<std::optional<store::Found>> Reader::get_at(const rocksdb::ReadOptions& options,
                                                   const table::Table& table, std::string_view key) const {
  rocksdb::PinnableSlice stored;
  const layout::FullKey full(table.space, key);
  const auto status = database_.db().Get(options, database_.items(), slice(full.view()), &stored);
  if (status.IsNotFound()) {
    return std::optional<store::Found>();
  }
  if (!status.ok()) {
    log_error("reading from table " + table.name + ": " + status.ToString());
    return to_error(status);
  }
  const auto record = layout::read_record(view(stored));
  if (table::is_expired(table.ttl, record.item, clock_.wall_seconds())) {
    return std::optional<store::Found>();
  }
  return std::optional(store::Found{item::Item{std::string(record.item.encoded())}, record.size_bytes});
}

Result<std::vector<std::optional<store::Found>>> Reader::get_together(
    const std::vector<store::GetRequest>& requests) const {
  const Snapshot snapshot(database_.db());
  rocksdb::ReadOptions options;
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
  const auto& ttl = range.table->ttl;
  const bool entry_knows_expiry = range.index == nullptr || !ttl.enabled() ||
                                  table::keeps_attribute(*range.table, *range.index, ttl.attribute);
  const table::SpaceId space = range.index != nullptr ? range.index->space : range.table->space;
  const std::string begin = layout::full_key(space, range.begin);
  const std::string end =
      range.end.empty() ? layout::full_key(space + 1, {}) : layout::full_key(space, range.end);
  const rocksdb::Slice lower = slice(begin);
  const rocksdb::Slice upper = slice(end);
  rocksdb::ReadOptions options;
  options.iterate_lower_bound = &lower;
  options.iterate_upper_bound = &upper;
  const std::unique_ptr<rocksdb::Iterator> at(database_.db().NewIterator(options, database_.items()));
  const int64_t now_seconds = clock_.wall_seconds();
  for (range.forward ? at->Seek(lower) : at->SeekToLast(); at->Valid();
       range.forward ? at->Next() : at->Prev()) {
    const auto key = view(at->key()).substr(sizeof(table::SpaceId));
    const auto record = layout::read_record(view(at->value()));
    WAYBILL_TRY_ASSIGN(const bool alive, is_alive(range, entry_knows_expiry, key, record.item, now_seconds));
    if (alive && !visitor.visit(key, record.item, record.size_bytes)) {
      return {};
    }
  }
  if (!at->status().ok()) {
    log_error("reading from table " + range.table->name + ": " + at->status().ToString());
    return to_error(at->status());
  }
  return {};
}

uint64_t Reader::approximate_bytes(table::SpaceId space, std::string_view begin, std::string_view end) const {
  const std::string from = layout::full_key(space, begin);
  const std::string to = end.empty() ? layout::full_key(space + 1, {}) : layout::full_key(space, end);
  const rocksdb::Range range(slice(from), slice(to));
  uint64_t bytes = 0;
  rocksdb::SizeApproximationOptions options;
  options.include_memtables = true;
  database_.db().GetApproximateSizes(options, database_.items(), &range, 1, &bytes);
  return bytes;
}

}  // namespace waybill::engine
