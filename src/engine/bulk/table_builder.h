#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "engine/bulk/row_sorter.h"
#include "engine/bulk/sst_sequence.h"
#include "engine/database.h"
#include "store/store.h"
#include "table/table.h"

namespace waybill::engine {

// Brings the first items of a table into the store, with their index entries, as files that RocksDB takes
// over whole: nothing goes through the log or the write buffers.
//
// The spaces of the table must be empty.
class TableBuilder {
 public:
  TableBuilder(const Database& database, const std::string& scratch_prefix, table::Table table);

  // Rows by rising key.
  Status add(std::string_view key, std::string_view record);

  // Hands the files over, all or none. What each space has got is in counts() then.
  Status finish();

  using Counts = std::vector<std::pair<table::SpaceId, store::Stats>>;
  const Counts& counts() const { return counts_; }  // the table's first, then those of its indexes in order

 private:
  // One index on its way: entries come in the order of the items, and are sorted before they are written.
  struct IndexFiles {
    IndexFiles(const Database& database, const std::string& prefix, std::size_t memory_bytes);
    Status write(table::SpaceId space);

    RowSorter sorter;
    SstSequence files;
  };

  void count(std::size_t place, uint32_t bytes);
  Status write_indexes();
  Status hand_over();

  const Database& database_;
  const table::Table table_;
  SstSequence items_;
  std::vector<std::unique_ptr<IndexFiles>> indexes_;  // as the table's
  Counts counts_;
  std::string key_;  // lent from row to row
  std::string record_;
};

// The same for one space alone, without indexes: a backup.
class SpaceBuilder {
 public:
  SpaceBuilder(const Database& database, rocksdb::ColumnFamilyHandle* family,
               const std::string& scratch_prefix, table::SpaceId space);

  Status add(std::string_view key, std::string_view record);
  Status finish();
  const store::Stats& counts() const { return counts_; }

 private:
  const Database& database_;
  rocksdb::ColumnFamilyHandle* const family_;
  const table::SpaceId space_;
  SstSequence files_;
  store::Stats counts_;
  std::string key_;
};

}  // namespace waybill::engine
