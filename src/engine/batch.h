#pragma once

#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

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
  Batch(const Database& database, WriterState& state, int64_t now_ms)
      : database_(database), state_(state), now_ms_(now_ms) {}

  int64_t now_ms() const { return now_ms_; }
  int64_t now_seconds() const { return now_ms_ / 1000; }
  WriterState& state() { return state_; }
  const Database& database() const { return database_; }

  // The record stored under this key, expired or not; false where there is none. `record` holds it until
  // it is reset.
  Result<bool> read(table::SpaceId space, std::string_view key, rocksdb::PinnableSlice& record) const;

  // Puts `after` in the place of the stored record `before`, either of which may be absent, with all index
  // entries and counts.
  // Tells what each index's part weighs in `changes` where that is not null.
  void replace(const table::Table& table, std::string_view key, std::optional<std::string_view> before,
               const std::optional<layout::Record>& after, std::vector<store::IndexChange>* changes);

  // Adds the entry of one stored item to an index that is being filled.
  void add_entry(const table::Table& table, const table::Index& index, std::string_view key,
                 std::string_view record);
  void add_expiry(const table::Table& table, std::string_view key, std::string_view record);

  // Whether the token was used within the last ten minutes, and with which parameters.
  Result<std::optional<std::string>> find_token(std::string_view token) const;
  void note_token(std::string_view token, std::string_view fingerprint);
  void forget_tokens_before(int64_t when_ms);

  void put_table(table::TablePtr table);
  void remove_table(const table::Table& table);
  table::SpaceId new_space();
  void drop_space(table::SpaceId space);
  void note_filled(table::SpaceId space, std::string_view up_to);
  void forget_filled(table::SpaceId space);

  bool empty() const { return writes_.Count() == 0; }
  std::size_t size_bytes() const { return writes_.GetDataSize(); }
  bool tables_changed() const { return tables_changed_; }
  const std::set<table::SpaceId>& counted_spaces() const { return counted_; }

  // Adds counts and the commit's number, and hands over all that is to be written.
  rocksdb::WriteBatch& seal();

 private:
  // An item on its way through the indexes: what it is, and its record as stored.
  struct Version {
    std::optional<layout::Record> record;
    std::string_view stored;
  };

  // What an index holds of one version of an item. `record` points to the version's own bytes where the index
  // keeps all attributes, else into `projected`.
  struct Entry {
    std::optional<std::string> key;
    std::string projected;
    std::string_view record;
    uint32_t size_bytes = 0;
  };

  static void make_entry(const table::Table& table, const table::Index& index, std::string_view key,
                         const Version& version, Entry& entry);
  static bool means_the_same(const Entry& a, const Entry& b);
  void replace_entry(const table::Table& table, const table::Index& index, std::string_view key,
                     const Version& before, const Version& after, std::vector<store::IndexChange>* changes);
  void replace_expiry(const table::Table& table, std::string_view key,
                      const std::optional<layout::Record>& before,
                      const std::optional<layout::Record>& after);
  void put(table::SpaceId space, std::string_view key, std::string_view record);
  void remove(table::SpaceId space, std::string_view key);
  void count(table::SpaceId space, int64_t items, int64_t bytes);
  bool reached(table::SpaceId space, std::string_view key) const;

  const Database& database_;
  WriterState& state_;
  const int64_t now_ms_;
  rocksdb::WriteBatch writes_;
  // Records of tables that this batch has written or removed; index entries are never read back.
  std::unordered_map<std::string, std::optional<std::string>> changed_;
  std::unordered_map<std::string, std::string> tokens_;
  std::set<table::SpaceId> counted_;
  bool tables_changed_ = false;
};

}  // namespace waybill::engine
