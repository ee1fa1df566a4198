#include "engine/batch.h"

#include <algorithm>

#include "base/check.h"
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
  const std::string full = layout::full_key(space, key);
  if (const auto found = changed_.find(full); found != changed_.end()) {
    if (found->second) {
      record.PinSelf(slice(*found->second));
    }
    return found->second.has_value();
  }
  return database_.get(database_.items(), full, record);
}

void Batch::put(table::SpaceId space, std::string_view key, std::string_view record) {
  writes_.Put(database_.items(), slice(layout::full_key(space, key)), slice(record));
}

void Batch::remove(table::SpaceId space, std::string_view key) {
  writes_.Delete(database_.items(), slice(layout::full_key(space, key)));
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
                    const std::optional<layout::Record>& after, std::vector<store::IndexChange>* changes) {
  std::string record;
  Version old_version;
  Version new_version;
  if (before) {
    old_version = {layout::read_record(*before), *before};
  }
  if (after) {
    record = layout::make_record(after->item, after->size_bytes);
    new_version = {after, record};
  }
  for (const auto& index : table.indexes) {
    if (reached(index.space, key)) {
      replace_entry(table, index, key, old_version, new_version, changes);
    }
  }
  if (table.ttl.enabled() && reached(table.ttl.space, key)) {
    replace_expiry(table, key, old_version.record, after);
  }
  count(table.space, (after ? 1 : 0) - (before ? 1 : 0),
        (after ? int64_t{after->size_bytes} : 0) - (before ? int64_t{old_version.record->size_bytes} : 0));

  std::string full = layout::full_key(table.space, key);
  if (after) {
    writes_.Put(database_.items(), slice(full), slice(record));
    changed_.insert_or_assign(std::move(full), std::move(record));
  } else {
    writes_.Delete(database_.items(), slice(full));
    changed_.insert_or_assign(std::move(full), std::nullopt);
  }
}

void Batch::make_entry(const table::Table& table, const table::Index& index, std::string_view key,
                       const Version& version, Entry& entry) {
  if (!version.record) {
    return;
  }
  entry.key = table::entry_key(index, version.record->item, key);
  if (!entry.key) {
    return;
  }
  if (index.projection.kind == table::ProjectionKind::all) {
    entry.size_bytes = version.record->size_bytes;
    entry.record = version.stored;
    return;
  }
  std::string attributes;
  table::append_projected(attributes, table, index, version.record->item);
  entry.size_bytes = item::size_bytes(item::ItemView(attributes));
  entry.projected = layout::make_record(item::ItemView(attributes), entry.size_bytes);
  entry.record = entry.projected;
}

// Whether an entry need not be written again: also where its attributes come in another order.
bool Batch::means_the_same(const Entry& a, const Entry& b) {
  if (a.record == b.record) {
    return true;
  }
  return a.key && a.size_bytes == b.size_bytes &&
         item::equal(layout::read_record(a.record).item, layout::read_record(b.record).item);
}

void Batch::replace_entry(const table::Table& table, const table::Index& index, std::string_view key,
                          const Version& before, const Version& after,
                          std::vector<store::IndexChange>* changes) {
  Entry old_entry;
  Entry new_entry;
  make_entry(table, index, key, before, old_entry);
  make_entry(table, index, key, after, new_entry);
  if (old_entry.key == new_entry.key && means_the_same(old_entry, new_entry)) {
    return;
  }
  store::IndexChange change{index.name, index.kind, 0, 0};
  if (old_entry.key && old_entry.key != new_entry.key) {
    remove(index.space, *old_entry.key);
    change.removed_bytes = old_entry.size_bytes;
  }
  if (new_entry.key) {
    put(index.space, *new_entry.key, new_entry.record);
    change.written_bytes = old_entry.key == new_entry.key
                               ? std::max(old_entry.size_bytes, new_entry.size_bytes)
                               : new_entry.size_bytes;
  }
  count(index.space, (new_entry.key ? 1 : 0) - (old_entry.key ? 1 : 0),
        int64_t{new_entry.size_bytes} - int64_t{old_entry.size_bytes});
  if (changes != nullptr) {
    changes->push_back(std::move(change));
  }
}

void Batch::replace_expiry(const table::Table& table, std::string_view key,
                           const std::optional<layout::Record>& before,
                           const std::optional<layout::Record>& after) {
  const auto old_time = before ? table::expiry_seconds(table.ttl, before->item) : std::nullopt;
  const auto new_time = after ? table::expiry_seconds(table.ttl, after->item) : std::nullopt;
  if (old_time == new_time) {
    return;
  }
  if (old_time) {
    remove(table.ttl.space, table::expiry_key(*old_time, key));
  }
  if (new_time) {
    put(table.ttl.space, table::expiry_key(*new_time, key), {});
  }
}

void Batch::add_entry(const table::Table& table, const table::Index& index, std::string_view key,
                      std::string_view record) {
  replace_entry(table, index, key, {}, {layout::read_record(record), record}, nullptr);
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

void Batch::put_table(table::TablePtr table) {
  writes_.Put(database_.meta(), slice(layout::table_key(table->name)), slice(table::serialize(*table)));
  state_.by_space[table->space] = table;
  state_.tables.insert_or_assign(table->name, table);
  tables_changed_ = true;
}

void Batch::remove_table(const table::Table& table) {
  writes_.Delete(database_.meta(), slice(layout::table_key(table.name)));
  drop_space(table.space);
  for (const auto& index : table.indexes) {
    drop_space(index.space);
  }
  if (table.ttl.enabled()) {
    drop_space(table.ttl.space);
  }
  const table::SpaceId space = table.space;
  state_.tables.erase(table.name);
  state_.by_space.erase(space);
  tables_changed_ = true;
}

table::SpaceId Batch::new_space() {
  const table::SpaceId space = state_.next_space++;
  std::string next;
  append_u32_be(next, state_.next_space);
  writes_.Put(database_.meta(), slice(layout::next_space_key), slice(next));
  return space;
}

void Batch::drop_space(table::SpaceId space) {
  writes_.DeleteRange(database_.items(), slice(layout::full_key(space, {})),
                      slice(layout::full_key(space + 1, {})));
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
  WAYBILL_CHECK(!empty());
  for (const auto space : counted_) {
    if (const auto found = state_.stats.find(space); found != state_.stats.end()) {
      const auto value = layout::u64_value(static_cast<uint64_t>(found->second.items)) +
                         layout::u64_value(static_cast<uint64_t>(found->second.bytes));
      writes_.Put(database_.meta(), slice(layout::space_key(layout::stats_prefix, space)), slice(value));
    }
  }
  ++state_.commit;
  writes_.Put(database_.meta(), slice(layout::commit_key), slice(layout::u64_value(state_.commit)));
  if (state_.commit == 1) {
    writes_.Put(database_.meta(), slice(layout::format_key), slice(layout::format_version));
  }
  return writes_;
}

}  // namespace waybill::engine
