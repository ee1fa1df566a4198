#pragma once

#include <rocksdb/db.h>
#include <rocksdb/sst_file_writer.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/database.h"

namespace waybill::engine {

// Writes rows, which must come by rising key, into as many table files of RocksDB as they need.
class SstSequence {
 public:
  // Files are called `prefix` with a number behind it.
  SstSequence(const Database& database, rocksdb::ColumnFamilyHandle* family, std::string prefix);

  Status put(std::string_view key, std::string_view value);

  // Closes the last file. All are on disk then.
  Status finish();

  const std::vector<std::string>& files() const { return files_; }

 private:
  Status begin_file();
  Status end_file();

  const rocksdb::Options options_;
  rocksdb::ColumnFamilyHandle* const family_;
  const std::string prefix_;
  std::unique_ptr<rocksdb::SstFileWriter> writer_;
  uint64_t file_bytes_ = 0;  // of rows in the file that is open
  std::vector<std::string> files_;
};

}  // namespace waybill::engine
