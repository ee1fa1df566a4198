#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "engine/catalog.h"
#include "engine/counters.h"
#include "engine/database.h"
#include "store/store.h"
#include "usage/meter.h"

namespace waybill::engine::queues {
class Book;
}

namespace waybill::engine {

// What an index entry's change weighs: see store::IndexChange.
struct EntryChange {
  const table::Index* index = nullptr;
  uint32_t removed_bytes = 0;
  uint32_t written_bytes = 0;
};

// What the writer knows without asking the disk. Touched by the writer thread alone.
struct WriterState {
  Catalog::Tables tables;
  std::unordered_map<table::SpaceId, table::TablePtr> by_space;
  std::unordered_map<table::SpaceId, store::Stats> stats;
  // Of each index that is being filled: the key up to which it is. Writes beyond it leave the index alone,
  // since the filling will come by.
  std::map<table::SpaceId, std::string> filled_up_to;
  Catalog::Streams streams;
  Catalog::Backups backups;
  Catalog::Held held;
  Catalog::Queues queues;
  std::unordered_map<table::SpaceId, store::RulesPtr> rules;  // of tables that have some
  // Of tables that somebody follows: who, and what this batch has put into them.
  struct Followed {
    store::Store::Follower follower;
    std::vector<item::Item> items;
  };
  std::unordered_map<table::SpaceId, Followed> followed;
  std::unique_ptr<Counters> counters;
  queues::Book* book = nullptr;    // the messages of the queues
  table::ChangePlace last_change;  // that was written down
  table::SpaceId next_space = 1;
  bool has_format = false;  // the disk says that the data is of this version's
  uint64_t commit = 0;
  uint64_t numbers_given = 0;  // since that commit; see Batch::next_number
  uint64_t batches = 0;        // since the start

  // Of the batch that is being decided, here for the memory they have: what it used, for the meter; and what
  // its last write did to indexes.
  std::vector<usage::Use> used;
  std::vector<EntryChange> entry_changes;

  const table::Table* find(table::SpaceId space) const {
    const auto found = by_space.find(space);
    return found == by_space.end() ? nullptr : found->second.get();
  }
};

// The notes whose names begin with `prefix`.
Result<std::vector<table::Note>> read_notes(const Database& database, std::string_view prefix);

// How many commits may be told in part before they are synced; see Writer::commit.
inline constexpr uint64_t unsynced_commits_max = 1;

// Makes what was read back the ground for what follows, in the store whose files are in `folder`. After a
// kill it may be in the kernel's memory alone: later commits are synced in a log of their own, and a power
// cut must not leave them without it. And the numbers of commits that a power cut may have taken back, after
// they were told of, are not used again.
Status begin_on_disk(const Database& database, const std::string& folder, WriterState& state);

// Reads the state back from disk. Errors: corruption; unavailable for a format this version does not know.
Result<WriterState> load_state(const Database& database);

}  // namespace waybill::engine
