#pragma once

#include <rocksdb/write_batch.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "engine/database.h"

namespace waybill::engine {

// The counters that rules keep: see Store::counter.
//
// A change of a record counts in several of them, so a batch changes many, and mostly those that the batches
// before it have changed as well. Each commit writes what it changed as one row; a counter gets a row of its
// own when its last change is some thousand commits old and leaves the rows of commits. After a restart both
// are read, the rows of commits in their order.
//
// read() may be called from any thread; all the rest is for the writer's.
class Counters {
 public:
  // `database` outlives it.
  explicit Counters(const Database& database) : database_(database) {}
  Counters(const Counters&) = delete;
  Counters& operator=(const Counters&) = delete;

  // Takes up what is on disk.
  Status load();

  // With all that was decided so far; 0 where there is none.
  Result<int64_t> value(std::string_view name) const;
  Status add(std::string_view name, int64_t delta);
  // All whose names begin with `prefix` are 0.
  void forget(const std::string& prefix, rocksdb::WriteBatch& writes);

  bool has_changed() const { return !changed_.empty(); }
  // Adds to the batch that commits under this number what has changed since the last one.
  void seal(uint64_t commit, rocksdb::WriteBatch& writes);
  // That batch is on disk: from now on read() gives what it made of them.
  void publish();

  // As of the last commit.
  Result<int64_t> read(std::string_view name) const;

 private:
  struct Counter {
    int64_t value = 0;
    std::atomic<int64_t> published = 0;
    uint64_t changed_in = 0;  // the commit that changed it last
    bool is_listed = false;   // among changed_
  };
  struct NameHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const { return std::hash<std::string_view>()(name); }
  };
  using All = std::unordered_map<std::string, Counter, NameHash, std::equal_to<>>;
  using Known = All::value_type;  // stays where it is until it is erased

  // What one commit has changed.
  struct Row {
    uint64_t commit = 0;
    std::vector<Known*> counters;
  };

  Result<int64_t> stored(std::string_view name) const;
  Known& know(std::string_view name, int64_t value);
  void list(Known& known);
  Status load_row(uint64_t commit, std::string_view value);
  void retire(rocksdb::WriteBatch& writes);

  const Database& database_;
  mutable std::shared_mutex mutex_;  // of who is in all_; held by the writer for that alone
  All all_;
  std::vector<Known*> changed_;            // since the last commit
  std::vector<std::string> forgotten_;     // prefixes, since the last commit
  std::deque<Row> rows_;                   // on disk, the oldest first
  std::size_t entries_ = 0;                // of those rows
  std::vector<std::string> to_be_erased_;  // once what is written of them is on disk
};

}  // namespace waybill::engine
