#pragma once

#include <cstdint>
#include <vector>

namespace waybill::engine {

// Lets the entries of a write look for their places at the same time.
//
// Where an entry belongs is found step by step, and each step waits for memory. RocksDB inserts one entry
// after the other; with one of these around the write, memtables keep them until the last one has come, and
// then search for many at once, whose waits overlap. Nobody may see a write before RocksDB says that it is
// done, so nobody misses what is not in its place yet.
//
// For the thread that writes; one at a time.
class FillTogether {
 public:
  // A memtable that entries have come to (memtable.cc).
  class Table {
   public:
    virtual void place_entries() = 0;

   protected:
    ~Table() = default;
  };

  // For a write of so many entries, all of which go into memtables of ours. 0: each goes to its place at
  // once.
  explicit FillTogether(uint32_t entries);
  ~FillTogether();
  FillTogether(const FillTogether&) = delete;
  FillTogether& operator=(const FillTogether&) = delete;

  // For memtables: whether an entry is kept for later. With the last one all are placed, before it returns.
  static bool keeps_entry_of(Table& table, bool is_first_of_table);

 private:
  static thread_local FillTogether* current_;

  uint32_t entries_left_;
  std::vector<Table*> tables_;
};

}  // namespace waybill::engine
