#pragma once

#include <rocksdb/file_system.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/entropy.h"
#include "engine/encryption/file_header.h"
#include "engine/encryption/key_ring.h"

namespace waybill::engine::encryption {

// A file system under RocksDB on which all that is written is encrypted: tables, logs, manifests, options and
// RocksDB's own log alike. See file_header.h for the form of the files.
//
// Why not RocksDB's own (NewEncryptedEnv): its files begin with a nonce from a seed of 32 bits, it knows one
// key, and it sets a cipher up anew for every block of every read.
//
// Thread safety: as RocksDB asks for it, every method from any thread.
class EncryptedFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  enum class PlainFiles : bool { refused, accepted };

  // `entropy` outlives this.
  EncryptedFileSystem(const std::shared_ptr<rocksdb::FileSystem>& base, KeyRingPtr keys, Entropy& entropy,
                      PlainFiles plain_files);

  // New keys: when this returns, every header that was begun under the old ones is written.
  void use(KeyRingPtr keys);
  KeyRingPtr keys() const;

  // From now on a plain file is a fault.
  void refuse_plain_files() { plain_files_accepted_.store(false); }

  // Held while a file is made and while a header is read: whoever rewrites a file behind RocksDB's back holds
  // it too. As long as plain files are accepted, and so may be replaced, also while one is renamed or goes.
  std::mutex& names_mutex() { return names_mutex_; }

  const char* Name() const override { return "WaybillEncryptedFileSystem"; }

  rocksdb::IOStatus NewSequentialFile(const std::string& path, const rocksdb::FileOptions& options,
                                      std::unique_ptr<rocksdb::FSSequentialFile>* file,
                                      rocksdb::IODebugContext* context) override;
  rocksdb::IOStatus NewRandomAccessFile(const std::string& path, const rocksdb::FileOptions& options,
                                        std::unique_ptr<rocksdb::FSRandomAccessFile>* file,
                                        rocksdb::IODebugContext* context) override;
  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* file,
                                    rocksdb::IODebugContext* context) override;
  rocksdb::IOStatus ReopenWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                       std::unique_ptr<rocksdb::FSWritableFile>* file,
                                       rocksdb::IODebugContext* context) override;
  rocksdb::IOStatus ReuseWritableFile(const std::string& path, const std::string& old_path,
                                      const rocksdb::FileOptions& options,
                                      std::unique_ptr<rocksdb::FSWritableFile>* file,
                                      rocksdb::IODebugContext* context) override;
  // Writing a place twice under one key is what the cipher must not see; RocksDB gets along without these.
  rocksdb::IOStatus NewRandomRWFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSRandomRWFile>* file,
                                    rocksdb::IODebugContext* context) override;
  rocksdb::IOStatus NewMemoryMappedFileBuffer(
      const std::string& path, std::unique_ptr<rocksdb::MemoryMappedFileBuffer>* result) override;
  rocksdb::IOStatus NewLogger(const std::string& path, const rocksdb::IOOptions& options,
                              std::shared_ptr<rocksdb::Logger>* logger,
                              rocksdb::IODebugContext* context) override;

  rocksdb::IOStatus GetFileSize(const std::string& path, const rocksdb::IOOptions& options, uint64_t* size,
                                rocksdb::IODebugContext* context) override;
  rocksdb::IOStatus GetChildrenFileAttributes(const std::string& directory, const rocksdb::IOOptions& options,
                                              std::vector<rocksdb::FileAttributes>* attributes,
                                              rocksdb::IODebugContext* context) override;
  rocksdb::IOStatus Truncate(const std::string& path, std::size_t size, const rocksdb::IOOptions& options,
                             rocksdb::IODebugContext* context) override;
  rocksdb::IOStatus RenameFile(const std::string& from, const std::string& to,
                               const rocksdb::IOOptions& options, rocksdb::IODebugContext* context) override;
  rocksdb::IOStatus DeleteFile(const std::string& path, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* context) override;

 private:
  // What the file at `path` is, and its key where it is sealed.
  struct Start {
    Content content = Content::empty;
    Secret file_key;
  };
  // The caller holds names_mutex_.
  rocksdb::IOStatus read_start(const std::string& path, Start& start) const;
  rocksdb::IOStatus judge_start(const std::string& path, std::string_view bytes, Start& start) const;

  // Not held for longer than it must: a large file takes its time to go.
  std::unique_lock<std::mutex> lock_while_converting();

  Entropy& entropy_;
  std::atomic<bool> plain_files_accepted_;
  std::mutex names_mutex_;
  mutable std::mutex keys_mutex_;  // guards keys_
  KeyRingPtr keys_;
};

}  // namespace waybill::engine::encryption
