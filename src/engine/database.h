#pragma once

#include <rocksdb/db.h>
#include <rocksdb/perf_level.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/item_cache.h"
#include "engine/rocks_options.h"

namespace waybill::engine {

// An open RocksDB with our column families.
class Database {
 public:
  static Result<std::unique_ptr<Database>> open(const std::string& path, const RocksOptions& options);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  rocksdb::DB& db() const {
    // RocksDB counts for profilers in every thread; nobody reads it.
    thread_local const bool uncounted = (rocksdb::SetPerfLevel(rocksdb::PerfLevel::kDisable), true);
    static_cast<void>(uncounted);
    return *db_;
  }
  rocksdb::ColumnFamilyHandle* meta() const { return families_[0]; }
  rocksdb::ColumnFamilyHandle* items() const { return families_[1]; }
  rocksdb::ColumnFamilyHandle* entries() const { return families_[2]; }
  rocksdb::ColumnFamilyHandle* changes() const { return families_[3]; }
  rocksdb::ColumnFamilyHandle* tokens() const { return families_[4]; }
  rocksdb::ColumnFamilyHandle* backups() const { return families_[5]; }
  rocksdb::ColumnFamilyHandle* usage() const { return families_[6]; }
  rocksdb::ColumnFamilyHandle* messages() const { return families_[7]; }
  rocksdb::ColumnFamilyHandle* deliveries() const { return families_[8]; }

  // Of the records in items().
  ItemCache& item_cache() const { return *item_cache_; }

  // Bytes that are in memory and in the log alone: what the next start would have to read again.
  uint64_t unflushed_bytes() const;
  // Brings them into files, so that the next start is quick.
  enum class Wait : bool { no, yes };
  void flush(Wait wait) const;

  // True and the value in `value`, or false where there is none.
  Result<bool> get(rocksdb::ColumnFamilyHandle* family, std::string_view key,
                   rocksdb::PinnableSlice& value) const;

 private:
  Database() = default;

  std::shared_ptr<rocksdb::Env> env_;  // outlives db_
  std::unique_ptr<rocksdb::DB> db_;
  std::vector<rocksdb::ColumnFamilyHandle*> families_;
  std::unique_ptr<ItemCache> item_cache_;
};

inline rocksdb::Slice slice(std::string_view bytes) {
  return {bytes.data(), bytes.size()};
}
inline std::string_view view(const rocksdb::Slice& slice) {
  return {slice.data(), slice.size()};
}

// A failed read or open in our words.
Error to_error(const rocksdb::Status& status);

}  // namespace waybill::engine
