#pragma once

#include <rocksdb/file_system.h>

#include <memory>
#include <string>

namespace waybill::engine {

// A file system on which RocksDB's log is written over zeros that are on disk already. A sync of what was
// appended to a file has to write down the file's new size as well, which takes the file system a second
// round to the disk; a sync of what was overwritten has not.
//
// The zeros at the end of a log that was not closed are no records, and are passed over when it is read. So
// would be zeros in the middle of it: whoever writes must sync each record before the next one, lest a power
// cut takes one away and leaves its successor.
//
// On file systems that cannot overwrite, such as the encrypted one, the log grows as it is written.
//
// Thread safety: as RocksDB asks for it, every method from any thread.
class PreparedLogFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  explicit PreparedLogFileSystem(const std::shared_ptr<rocksdb::FileSystem>& base)
      : FileSystemWrapper(base) {}

  const char* Name() const override { return "WaybillPreparedLogFileSystem"; }

  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* file,
                                    rocksdb::IODebugContext* context) override;
};

}  // namespace waybill::engine
