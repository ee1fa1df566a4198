#pragma once

#include <rocksdb/sst_file_reader.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/bulk/row_source.h"
#include "engine/database.h"

namespace waybill::engine {

// Puts any number of rows in order within bounded memory: what is too much goes to files, and the files are
// merged.
class RowSorter {
 public:
  // Which of several rows with the same key is kept.
  enum class Keep : bool { first_added, last_added };

  // Files are called `prefix` with something behind it, and go with the sorter.
  RowSorter(const Database& database, std::string prefix, std::size_t memory_bytes, Keep keep);
  ~RowSorter();
  RowSorter(const RowSorter&) = delete;
  RowSorter& operator=(const RowSorter&) = delete;

  Status add(std::string_view key, std::string_view value);

  // The rows in order. Nothing may be added from here on; the sorter outlives what it returns.
  Result<std::unique_ptr<RowSource>> sorted();

 private:
  struct Row {
    uint64_t head;       // the key's first bytes: most comparisons need no more
    std::size_t offset;  // of the key in bytes_; the value follows it
    uint32_t key_length;
    uint32_t value_length;
  };
  class MemoryRun;
  class FileRun;
  class Merge;

  std::string_view key_of(const Row& row) const { return {bytes_.data() + row.offset, row.key_length}; }
  std::string_view value_of(const Row& row) const {
    return {bytes_.data() + row.offset + row.key_length, row.value_length};
  }
  bool is_before(const Row& a, const Row& b) const;
  void sort();
  Status spill();

  const Database& database_;
  const std::string prefix_;
  const std::size_t memory_bytes_;
  const Keep keep_;
  std::string bytes_;
  std::vector<Row> rows_;
  std::vector<std::vector<std::string>> runs_;  // files of each, in the order in which they were added
};

}  // namespace waybill::engine
