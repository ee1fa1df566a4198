#pragma once

#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/check.h"
#include "base/result.h"
#include "engine/database.h"
#include "engine/layout.h"
#include "engine/writer_state.h"
#include "store/store.h"

namespace waybill::engine {

// One group of jobs that reach the disk together: what they have changed so far, on top of the store.
//
// Used by the writer thread alone. Changes to the WriterState are final: a batch that can't be written ends
// the process.
class Batch {
 public:
  // `writes` is emptied and filled; the writer lends the same one to every batch, for the memory it has.
  // `log_ms` is the time that changes are written down with: now, but never before the last one.
  Batch(const Database& database, WriterState& state, int64_t now_ms, int64_t log_ms,
        rocksdb::WriteBatch& writes)
      : database_(database), state_(state), now_ms_(now_ms), log_ms_(log_ms), writes_(writes) {
    writes_.Clear();
    state_.used.clear();
    ++state_.batches;
  }
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  int64_t now_ms() const { return now_ms_; }
  int64_t log_ms() const { return log_ms_; }
  int64_t now_seconds() const { return now_ms_ / 1000; }
  WriterState& state() { return state_; }
  const WriterState& state() const { return state_; }
  const Database& database() const { return database_; }

  // Tells this batch from all others since the start.
  uint64_t id() const { return state_.batches; }
  // A number greater than any that was given before. Never 0. Also greater than those from before a restart,
  // where what got them was written, or the same or a later batch was.
  uint64_t next_number() {
    WAYBILL_CHECK(state_.numbers_given < numbers_max);
    return (state_.commit + 1) * numbers_max + state_.numbers_given++;
  }
  // Whether a commit is due, even of nothing: each has new numbers.
  bool lacks_numbers() const { return state_.numbers_given > numbers_max / 2; }
  bool is_of_this(uint64_t number) const { return number / numbers_max > state_.commit; }

  // For what writes rows of its own. Reads do not see them before the batch is written.
  rocksdb::WriteBatch& writes() { return writes_; }

  void put_queue(queue::QueuePtr queue);
  void remove_queue(const queue::Queue& queue);

  // The record stored under this key, expired or not; false where there is none. `record` holds it until
  // it is reset.
  Result<bool> read(table::SpaceId space, std::string_view key, rocksdb::PinnableSlice& record) const;

  // Whether an item that is replaced counted as being there, or its time to live had passed.
  enum class Was : bool { alive, expired };

  // Puts `after` in the place of the stored record `before`, either of which may be absent, with all index
  // entries, counts, and the entry in the table's change log.
  // Tells what each index's part weighs in `changes` where that is not null.
  void replace(const table::Table& table, std::string_view key, std::optional<std::string_view> before,
               Was was, const std::optional<layout::Record>& after, std::vector<EntryChange>* changes);

  // A new item under a key that has never been, and that nobody knows of before the batch is written: it is
  // not looked for, neither on disk nor by what else this batch does, and not kept in the cache of items.
  void add(const table::Table& table, std::string_view key, const layout::Record& record);

  // 0 where there is none.
  Result<int64_t> counter(std::string_view name) const { return state_.counters->value(name); }
  // A counter is made by adding to it.
  // NOLINTNEXTLINE(readability-make-member-function-const): it does change the batch
  Status add_to_counter(std::string_view name, int64_t delta) { return state_.counters->add(name, delta); }
  // All whose names begin with `prefix`, those that this batch has changed as well.
  void forget_counters(const std::string& prefix) { state_.counters->forget(prefix, writes_); }

  // For the meter, once the batch is written.
  void count_use(const usage::Use& use) { state_.used.push_back(use); }

  // Adds the entry of one stored item to an index that is being filled.
  void add_entry(const table::Table& table, const table::Index& index, std::string_view key,
                 std::string_view record);
  void add_expiry(const table::Table& table, std::string_view key, std::string_view record);

  // Whether the token was used within the last ten minutes, and with which parameters.
  Result<std::optional<std::string>> find_token(std::string_view token) const;
  void note_token(std::string_view token, std::string_view fingerprint);
  void forget_tokens_before(int64_t when_ms);

  // A record of the family "usage".
  void put_usage(table::SpaceId space, int64_t minute, const usage::Minute& used);
  void trim_usage(table::SpaceId space, int64_t before_minute);

  void put_table(table::TablePtr table);
  void remove_table(const table::Table& table);
  // Begins a stream of the table's changes and returns its label.
  std::string begin_stream(const table::Table& table);
  void end_stream(const table::Table& table);
  void forget_stream(const table::Stream& stream);
  void trim_log(table::SpaceId log, int64_t before_ms);
  // Changes of later batches get this time or a later one.
  void let_time_reach(int64_t time_ms);

  void put_backup(table::BackupPtr backup);
  void remove_backup(const table::Backup& backup);
  void drop_backup_rows(table::SpaceId space);

  void put_note(const table::Note& note);
  void forget_note(const std::string& name);

  // Of a space whose rows have come by other ways than this batch.
  void add_counts(table::SpaceId space, const store::Stats& counted) {
    count(space, counted.items, counted.bytes);
  }

  table::SpaceId new_space();
  void drop_index(table::SpaceId space);
  void note_filled(table::SpaceId space, std::string_view up_to);
  void forget_filled(table::SpaceId space);

  bool empty() const { return writes_.Count() == 0 && !state_.counters->has_changed(); }
  std::size_t size_bytes() const { return writes_.GetDataSize(); }
  bool tables_changed() const { return tables_changed_; }  // or streams, backups, what is held
  const std::set<table::SpaceId>& counted_spaces() const { return counted_; }

  // Around the write: the cache of items follows what the batch changes. `sequence` is RocksDB's behind it.
  void begin_change() const;
  void end_change(uint64_t sequence) const;

  // Adds counts and the commit's number, and hands over all that is to be written.
  rocksdb::WriteBatch& seal();

 private:
  static constexpr uint64_t numbers_max = 1ULL << 20;
  using MaybeRecord = std::optional<layout::Record>;

  // What an index holds of one version of an item. `record` points to the version's own bytes where the index
  // keeps all attributes, else into `projected`.
  struct Entry {
    std::optional<std::string> key;
    std::string projected;
    layout::Record record;
  };

  // Where in writes_ the record of a table stands that this batch has written.
  struct Written {
    bool there = false;  // false: removed
    std::size_t offset = 0;
    std::size_t length = 0;
  };

  // Lets a key be looked up without making a string of it.
  struct KeyHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view key) const { return std::hash<std::string_view>()(key); }
  };

  static bool means_the_same(const layout::Record& a, const layout::Record& b);
  void keep_entry(const table::Index& index, const layout::Record& before, const layout::Record& after,
                  std::vector<EntryChange>* changes);
  void replace_beside(const table::Table& table, std::string_view key, const MaybeRecord& before,
                      const MaybeRecord& after, std::vector<EntryChange>* changes);
  void replace_entry(const table::Table& table, const table::Index& index, std::string_view key,
                     const MaybeRecord& before, const MaybeRecord& after, std::vector<EntryChange>* changes);
  void replace_expiry(const table::Table& table, std::string_view key, const MaybeRecord& before,
                      const MaybeRecord& after);
  void put(rocksdb::ColumnFamilyHandle* family, table::SpaceId space, std::string_view key,
           const MaybeRecord& record);
  void remove(rocksdb::ColumnFamilyHandle* family, table::SpaceId space, std::string_view key);
  void note_change(const table::Table& table, std::optional<std::string_view> before, Was was,
                   const MaybeRecord& after);
  void append_change(const table::Table& table, store::ChangeKind kind, Was was,
                     std::optional<std::string_view> before, const MaybeRecord& after);
  void put_stream(table::Stream stream);
  void hold(const std::string& note, const std::optional<table::HeldTable>& held);
  void drop_space(rocksdb::ColumnFamilyHandle* family, table::SpaceId space);
  void drop_usage(table::SpaceId space);
  void drop_log_if_unused(table::SpaceId log);
  void count(table::SpaceId space, int64_t items, int64_t bytes);
  bool reached(table::SpaceId space, std::string_view key) const;

  const Database& database_;
  WriterState& state_;
  const int64_t now_ms_;
  const int64_t log_ms_;
  rocksdb::WriteBatch& writes_;
  // Records of tables that this batch has written or removed; index entries are never read back.
  std::unordered_map<std::string, Written, KeyHash, std::equal_to<>> changed_;
  std::unordered_map<std::string, std::string> tokens_;
  std::set<table::SpaceId> counted_;
  // Whether the item that is being replaced stays what it was: several indexes may ask.
  std::optional<bool> item_stays_;
  bool tables_changed_ = false;
  bool noted_changes_ = false;
};

}  // namespace waybill::engine
