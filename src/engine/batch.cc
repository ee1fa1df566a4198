#include "engine/batch.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/check.h"
#include "engine/index_entry.h"
#include "item/value.h"
#include "table/key.h"

namespace waybill::engine {

namespace {

constexpr int64_t token_bucket_ms = 10 * 60 * 1000;

std::string token_key(int64_t bucket, std::string_view token) {
  std::string key;
  append_u32_be(key, static_cast<uint32_t>(bucket));
  return key.append(token);
}

constexpr std::size_t token_time_bytes = 8;

}  // namespace

Result<bool> Batch::read(table::SpaceId space, std::string_view key, rocksdb::PinnableSlice& record) const {
  const layout::FullKey full(space, key);
  if (const auto found = changed_.find(full.view()); found != changed_.end()) {
    const Written& written = found->second;
    if (written.there) {
      record.PinSelf({writes_.Data().data() + written.offset, written.length});
    }
    return written.there;
  }
  // Nobody else writes: what the cache has is the present.
  constexpr uint64_t present = std::numeric_limits<uint64_t>::max();
  if (database_.item_cache().find(full.view(), present,
                                  [&](std::string_view cached) { record.PinSelf(slice(cached)); })) {
    return true;
  }
  return database_.get(database_.items(), full.view(), record);
}

void Batch::begin_change() const {
  for (const auto& [key, written] : changed_) {
    database_.item_cache().begin_change(key);
  }
}

void Batch::end_change(uint64_t sequence) const {
  for (const auto& [key, written] : changed_) {
    std::optional<std::string_view> record;
    if (written.there) {
      record = std::string_view(writes_.Data()).substr(written.offset, written.length);
    }
    database_.item_cache().end_change(key, record, sequence);
  }
}

// Without a record: an entry that is only a key.
void Batch::put(rocksdb::ColumnFamilyHandle* family, table::SpaceId space, std::string_view key,
                const MaybeRecord& record) {
  std::array<char, sizeof(space)> space_bytes;
  store_u32_be(space_bytes.data(), space);
  const layout::RecordHead head(record ? record->size_bytes : 0);
  const rocksdb::Slice key_parts[] = {{space_bytes.data(), space_bytes.size()}, slice(key)};
  const rocksdb::Slice record_parts[] = {slice(head.view()),
                                         slice(record ? record->item.encoded() : std::string_view())};
  writes_.Put(family, rocksdb::SliceParts(key_parts, 2), rocksdb::SliceParts(record_parts, record ? 2 : 0));
}

void Batch::remove(rocksdb::ColumnFamilyHandle* family, table::SpaceId space, std::string_view key) {
  writes_.Delete(family, slice(layout::FullKey(space, key).view()));
}

void Batch::count(table::SpaceId space, int64_t items, int64_t bytes) {
  auto& stats = state_.stats[space];
  stats.items += items;
  stats.bytes += bytes;
  counted_.insert(space);
}

bool Batch::reached(table::SpaceId space, std::string_view key) const {
  const auto filling = state_.filled_up_to.find(space);
  return filling == state_.filled_up_to.end() || key <= filling->second;
}

void Batch::replace(const table::Table& table, std::string_view key, std::optional<std::string_view> before,
                    Was was, const std::optional<layout::Record>& after, std::vector<EntryChange>* changes) {
  MaybeRecord old;
  if (before) {
    old = layout::read_record(*before);
  }
  replace_beside(table, key, old, after, changes);
  Written written;
  if (after) {
    put(database_.items(), table.space, key, after);
    // RocksDB appends, key first: the record is what the batch ends with.
    const std::size_t end = writes_.GetDataSize();
    const std::size_t length =
        layout::RecordHead(after->size_bytes).view().size() + after->item.encoded().size();
    written = {true, end - length, length};
  } else {
    remove(database_.items(), table.space, key);
  }
  changed_.insert_or_assign(layout::full_key(table.space, key), written);
  if (table.keeps_log()) {
    note_change(table, before, was, after);
  }
}

void Batch::add(const table::Table& table, std::string_view key, const layout::Record& record) {
  replace_beside(table, key, std::nullopt, record, nullptr);
  put(database_.items(), table.space, key, record);
  if (table.keeps_log()) {
    note_change(table, std::nullopt, Was::alive, record);
  }
}

// All that comes with an item: index entries, the entry of its expiry, counts.
void Batch::replace_beside(const table::Table& table, std::string_view key, const MaybeRecord& before,
                           const MaybeRecord& after, std::vector<EntryChange>* changes) {
  item_stays_.reset();
  for (const auto& index : table.indexes) {
    if (reached(index.space, key)) {
      replace_entry(table, index, key, before, after, changes);
    }
  }
  if (table.ttl.has_index() && reached(table.ttl.space, key)) {
    replace_expiry(table, key, before, after);
  }
  count(table.space, (after ? 1 : 0) - (before ? 1 : 0),
        (after ? int64_t{after->size_bytes} : 0) - (before ? int64_t{before->size_bytes} : 0));
}

// Whether an entry need not be written again: also where its attributes come in another order.
bool Batch::means_the_same(const layout::Record& a, const layout::Record& b) {
  return a.size_bytes == b.size_bytes &&
         (a.item.encoded() == b.item.encoded() || item::equal(a.item, b.item));
}

// An entry that is only a key stays as it is; to the service it has been written all the same.
void Batch::keep_entry(const table::Index& index, const layout::Record& before, const layout::Record& after,
                       std::vector<EntryChange>* changes) {
  if (before.size_bytes != after.size_bytes) {
    count(index.space, 0, int64_t{after.size_bytes} - int64_t{before.size_bytes});
  }
  if (changes == nullptr) {
    return;
  }
  if (!item_stays_) {
    item_stays_ = means_the_same(before, after);
  }
  if (!*item_stays_) {
    changes->push_back({&index, 0, std::max(before.size_bytes, after.size_bytes)});
  }
}

void Batch::replace_entry(const table::Table& table, const table::Index& index, std::string_view key,
                          const MaybeRecord& before, const MaybeRecord& after,
                          std::vector<EntryChange>* changes) {
  Entry old_entry;
  Entry new_entry;
  const auto old_values = before ? table::entry_key_values(index, before->item) : table::EntryKeyValues();
  const auto new_values = after ? table::entry_key_values(index, after->item) : table::EntryKeyValues();
  const bool in_place = table::same_values(old_values, new_values);
  if (in_place && index.shows_whole_items()) {
    if (table::has_entry(index, new_values)) {
      keep_entry(index, *before, *after, changes);
    }
    return;
  }
  new_entry.key = table::entry_key(index, new_values, key);
  if (!in_place) {
    old_entry.key = table::entry_key(index, old_values, key);
  }
  const bool was_there = in_place ? new_entry.key.has_value() : old_entry.key.has_value();
  if (was_there) {
    old_entry.record = entry_record(table, index, *before, old_entry.projected);
  }
  if (new_entry.key) {
    new_entry.record = entry_record(table, index, *after, new_entry.projected);
  }
  if (in_place && (!was_there || means_the_same(old_entry.record, new_entry.record))) {
    return;
  }
  if (!was_there && !new_entry.key) {
    return;
  }
  const uint32_t old_bytes = was_there ? old_entry.record.size_bytes : 0;
  const uint32_t new_bytes = new_entry.key ? new_entry.record.size_bytes : 0;
  EntryChange change{&index, 0, 0};
  if (was_there && !in_place) {
    remove(database_.entries(), index.space, *old_entry.key);
    change.removed_bytes = old_bytes;
  }
  if (new_entry.key) {
    put(database_.entries(), index.space, *new_entry.key,
        index.shows_whole_items() ? std::nullopt : MaybeRecord(new_entry.record));
    change.written_bytes = in_place ? std::max(old_bytes, new_bytes) : new_bytes;
  }
  count(index.space, (new_entry.key ? 1 : 0) - (was_there ? 1 : 0), int64_t{new_bytes} - int64_t{old_bytes});
  if (changes != nullptr) {
    changes->push_back(change);
  }
}

void Batch::replace_expiry(const table::Table& table, std::string_view key, const MaybeRecord& before,
                           const MaybeRecord& after) {
  const auto old_time = before ? table::expiry_seconds(table.ttl, before->item) : std::nullopt;
  const auto new_time = after ? table::expiry_seconds(table.ttl, after->item) : std::nullopt;
  if (old_time == new_time) {
    return;
  }
  if (old_time) {
    remove(database_.entries(), table.ttl.space, table::expiry_key(*old_time, key));
  }
  if (new_time) {
    put(database_.entries(), table.ttl.space, table::expiry_key(*new_time, key), std::nullopt);
  }
}

void Batch::add_entry(const table::Table& table, const table::Index& index, std::string_view key,
                      std::string_view record) {
  replace_entry(table, index, key, std::nullopt, layout::read_record(record), nullptr);
}

void Batch::add_expiry(const table::Table& table, std::string_view key, std::string_view record) {
  replace_expiry(table, key, std::nullopt, layout::read_record(record));
}

Result<std::optional<std::string>> Batch::find_token(std::string_view token) const {
  if (const auto found = tokens_.find(std::string(token)); found != tokens_.end()) {
    return std::optional(found->second);
  }
  // A token of the last ten minutes stands in this bucket or in the one before.
  const int64_t bucket = now_ms_ / token_bucket_ms;
  for (int64_t at = bucket; at >= bucket - 1; --at) {
    rocksdb::PinnableSlice value;
    WAYBILL_TRY_ASSIGN(const bool found, database_.get(database_.tokens(), token_key(at, token), value));
    if (!found) {
      continue;
    }
    const auto noted_ms = static_cast<int64_t>(load_u64_be(value.data()));
    if (now_ms_ - noted_ms < token_bucket_ms) {
      return std::optional(std::string(view(value).substr(token_time_bytes)));
    }
  }
  return std::optional<std::string>();
}

void Batch::note_token(std::string_view token, std::string_view fingerprint) {
  writes_.Put(database_.tokens(), slice(token_key(now_ms_ / token_bucket_ms, token)),
              slice(layout::u64_value(static_cast<uint64_t>(now_ms_)).append(fingerprint)));
  tokens_.emplace(token, fingerprint);
}

void Batch::forget_tokens_before(int64_t when_ms) {
  writes_.DeleteRange(database_.tokens(), slice(token_key(0, {})),
                      slice(token_key(when_ms / token_bucket_ms, {})));
}

void Batch::put_usage(table::SpaceId space, int64_t minute, const usage::Minute& used) {
  writes_.Put(database_.usage(), slice(layout::usage_key(space, minute)), slice(usage::encode(used)));
}

void Batch::trim_usage(table::SpaceId space, int64_t before_minute) {
  writes_.DeleteRange(database_.usage(), slice(layout::usage_key(space, 0)),
                      slice(layout::usage_key(space, before_minute)));
}

void Batch::put_table(table::TablePtr table) {
  writes_.Put(database_.meta(), slice(layout::table_key(table->name)), slice(table::serialize(*table)));
  state_.by_space[table->space] = table;
  state_.tables.insert_or_assign(table->name, table);
  tables_changed_ = true;
}

void Batch::remove_table(const table::Table& table) {
  writes_.Delete(database_.meta(), slice(layout::table_key(table.name)));
  drop_space(database_.items(), table.space);
  drop_usage(table.space);
  for (const auto& index : table.indexes) {
    drop_index(index.space);
  }
  if (table.ttl.has_index()) {
    drop_index(table.ttl.space);
  }
  if (table.stream.enabled) {
    end_stream(table);
  }
  const table::SpaceId space = table.space;
  const table::SpaceId log = table.log;
  state_.tables.erase(table.name);
  state_.by_space.erase(space);
  state_.rules.erase(space);
  tables_changed_ = true;
  if (log != 0) {
    drop_log_if_unused(log);
  }
}

table::SpaceId Batch::new_space() {
  const table::SpaceId space = state_.next_space++;
  std::string next;
  append_u32_be(next, state_.next_space);
  writes_.Put(database_.meta(), slice(layout::next_space_key), slice(next));
  return space;
}

void Batch::drop_index(table::SpaceId space) {
  drop_space(database_.entries(), space);
  drop_usage(space);
}

void Batch::drop_usage(table::SpaceId space) {
  writes_.DeleteRange(database_.usage(), slice(layout::usage_key(space, 0)),
                      slice(layout::usage_key(space + 1, 0)));
}

void Batch::drop_space(rocksdb::ColumnFamilyHandle* family, table::SpaceId space) {
  writes_.DeleteRange(family, slice(layout::full_key(space, {})), slice(layout::full_key(space + 1, {})));
  writes_.Delete(database_.meta(), slice(layout::space_key(layout::stats_prefix, space)));
  forget_filled(space);
  state_.stats.erase(space);
  counted_.insert(space);
}

void Batch::note_filled(table::SpaceId space, std::string_view up_to) {
  writes_.Put(database_.meta(), slice(layout::space_key(layout::backfill_prefix, space)), slice(up_to));
  state_.filled_up_to[space] = up_to;
}

void Batch::forget_filled(table::SpaceId space) {
  if (state_.filled_up_to.erase(space) > 0) {
    writes_.Delete(database_.meta(), slice(layout::space_key(layout::backfill_prefix, space)));
  }
}

rocksdb::WriteBatch& Batch::seal() {
  WAYBILL_CHECK(!empty() || lacks_numbers());
  for (const auto space : counted_) {
    if (const auto found = state_.stats.find(space); found != state_.stats.end()) {
      const auto value = layout::u64_value(static_cast<uint64_t>(found->second.items)) +
                         layout::u64_value(static_cast<uint64_t>(found->second.bytes));
      writes_.Put(database_.meta(), slice(layout::space_key(layout::stats_prefix, space)), slice(value));
    }
  }
  if (noted_changes_) {
    const auto value = layout::u64_value(static_cast<uint64_t>(state_.last_change.time_ms)) +
                       layout::u64_value(state_.last_change.number);
    writes_.Put(database_.meta(), slice(layout::last_change_key), slice(value));
  }
  ++state_.commit;
  state_.numbers_given = 0;
  state_.counters->seal(state_.commit, writes_);
  writes_.Put(database_.meta(), slice(layout::commit_key), slice(layout::u64_value(state_.commit)));
  if (!state_.has_format) {
    state_.has_format = true;
    writes_.Put(database_.meta(), slice(layout::format_key), slice(layout::format_version));
  }
  return writes_;
}

}  // namespace waybill::engine
