#include "engine/database.h"

#include "base/log.h"
#include "engine/log_checksum.h"

namespace waybill::engine {

Error to_error(const rocksdb::Status& status) {
  const ErrorKind kind = status.IsCorruption() ? ErrorKind::corruption : ErrorKind::unavailable;
  return Error{kind, "The store could not read its data. Please try again.", status.ToString()};
}

Result<std::unique_ptr<Database>> Database::open(const std::string& path, const RocksOptions& options) {
  const std::vector<rocksdb::ColumnFamilyDescriptor> families = {
      {rocksdb::kDefaultColumnFamilyName, options.meta},
      {"items", options.items},
      {"entries", options.entries},
      {"changes", options.changes},
      {"tokens", options.tokens},
      {"backups", options.backups},
      {"usage", options.usage},
      {"messages", options.messages},
      {"deliveries", options.deliveries}};
  // Also what brings the function into the program at all: nothing of ours calls it.
  if (!has_checksum_instruction()) {
    log_warning("this processor has no CRC-32C instruction: writes cost more than they need to");
  }
  std::unique_ptr<Database> opened(new Database());
  rocksdb::DB* db = nullptr;
  const auto status = rocksdb::DB::Open(options.db, path, families, &opened->families_, &db);
  if (!status.ok()) {
    const bool locked = status.ToString().find("/LOCK") != std::string::npos;
    return Error{
        status.IsCorruption() ? ErrorKind::corruption : ErrorKind::unavailable,
        locked ? "another process has " + path + " open, or it cannot be locked; stop that process first"
               : "cannot open " + path + ": " + status.ToString(),
        status.ToString()};
  }
  opened->env_ = options.env;
  opened->db_.reset(db);
  opened->item_cache_ = std::make_unique<ItemCache>(options.item_cache_bytes);
  return opened;
}

Database::~Database() {
  if (!db_) {
    return;
  }
  flush(Wait::yes);
  for (auto* family : families_) {
    db_->DestroyColumnFamilyHandle(family);
  }
  db_->Close();
}

uint64_t Database::unflushed_bytes() const {
  uint64_t bytes = 0;
  db().GetAggregatedIntProperty(rocksdb::DB::Properties::kCurSizeAllMemTables, &bytes);
  return bytes;
}

void Database::flush(Wait wait) const {
  rocksdb::FlushOptions options;
  options.wait = wait == Wait::yes;
  // Nothing depends on it: what is not flushed is in the log.
  if (const auto status = db().Flush(options, families_); !status.ok()) {
    log_warning("the write buffers could not be flushed: " + status.ToString());
  }
}

Result<bool> Database::get(rocksdb::ColumnFamilyHandle* family, std::string_view key,
                           rocksdb::PinnableSlice& value) const {
  const auto status = db().Get(rocksdb::ReadOptions(), family, slice(key), &value);
  if (status.IsNotFound()) {
    return false;
  }
  if (!status.ok()) {
    return to_error(status);
  }
  return true;
}

}  // namespace waybill::engine
