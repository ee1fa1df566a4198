#pragma once

#include <rocksdb/file_system.h>

#include <cstdint>
#include <memory>
#include <string>

#include "engine/encryption/cipher.h"

// RocksDB's kinds of files, encrypted. Offsets and sizes on this side are those of the contents; the header
// stands before them in the file beneath.
namespace waybill::engine::encryption {

class EncryptedSequentialFile final : public rocksdb::FSSequentialFileOwnerWrapper {
 public:
  // `file` stands behind its header.
  EncryptedSequentialFile(std::unique_ptr<rocksdb::FSSequentialFile>&& file, const Secret& file_key);

  rocksdb::IOStatus Read(std::size_t count, const rocksdb::IOOptions& options, rocksdb::Slice* result,
                         char* scratch, rocksdb::IODebugContext* context) override;
  rocksdb::IOStatus Skip(uint64_t count) override;
  rocksdb::IOStatus InvalidateCache(std::size_t offset, std::size_t length) override;
  rocksdb::IOStatus PositionedRead(uint64_t offset, std::size_t count, const rocksdb::IOOptions& options,
                                   rocksdb::Slice* result, char* scratch,
                                   rocksdb::IODebugContext* context) override;

 private:
  Cipher cipher_;
  uint64_t position_ = 0;
};

// A file in which there is nothing, whatever a crash has left of its header.
class NothingToRead final : public rocksdb::FSSequentialFile {
 public:
  rocksdb::IOStatus Read(std::size_t /*count*/, const rocksdb::IOOptions& /*options*/, rocksdb::Slice* result,
                         char* /*scratch*/, rocksdb::IODebugContext* /*context*/) override {
    *result = rocksdb::Slice();
    return rocksdb::IOStatus::OK();
  }
  rocksdb::IOStatus Skip(uint64_t /*count*/) override { return rocksdb::IOStatus::OK(); }
};

// Thread safety: as RocksDB asks for it, reads from many threads at once.
class EncryptedRandomAccessFile final : public rocksdb::FSRandomAccessFileOwnerWrapper {
 public:
  EncryptedRandomAccessFile(std::unique_ptr<rocksdb::FSRandomAccessFile>&& file, const Secret& file_key);

  rocksdb::IOStatus Read(uint64_t offset, std::size_t count, const rocksdb::IOOptions& options,
                         rocksdb::Slice* result, char* scratch,
                         rocksdb::IODebugContext* context) const override;
  rocksdb::IOStatus MultiRead(rocksdb::FSReadRequest* requests, std::size_t count,
                              const rocksdb::IOOptions& options, rocksdb::IODebugContext* context) override;
  rocksdb::IOStatus Prefetch(uint64_t offset, std::size_t count, const rocksdb::IOOptions& options,
                             rocksdb::IODebugContext* context) override;
  rocksdb::IOStatus InvalidateCache(std::size_t offset, std::size_t length) override;
  rocksdb::IOStatus ReadAsync(rocksdb::FSReadRequest& request, const rocksdb::IOOptions& options,
                              std::function<void(const rocksdb::FSReadRequest&, void*)> done, void* argument,
                              void** handle, rocksdb::IOHandleDeleter* deleter,
                              rocksdb::IODebugContext* context) override;

 private:
  SharedCipher cipher_;
};

class EncryptedWritableFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  // `file` has its header and `size` bytes of contents.
  EncryptedWritableFile(std::unique_ptr<rocksdb::FSWritableFile>&& file, const Secret& file_key,
                        uint64_t size);

  rocksdb::IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                           rocksdb::IODebugContext* context) override;
  rocksdb::IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                           const rocksdb::DataVerificationInfo& verification,
                           rocksdb::IODebugContext* context) override;
  rocksdb::IOStatus PositionedAppend(const rocksdb::Slice& data, uint64_t offset,
                                     const rocksdb::IOOptions& options,
                                     rocksdb::IODebugContext* context) override;
  rocksdb::IOStatus PositionedAppend(const rocksdb::Slice& data, uint64_t offset,
                                     const rocksdb::IOOptions& options,
                                     const rocksdb::DataVerificationInfo& verification,
                                     rocksdb::IODebugContext* context) override;
  rocksdb::IOStatus Truncate(uint64_t size, const rocksdb::IOOptions& options,
                             rocksdb::IODebugContext* context) override;
  uint64_t GetFileSize(const rocksdb::IOOptions& options, rocksdb::IODebugContext* context) override;
  rocksdb::IOStatus InvalidateCache(std::size_t offset, std::size_t length) override;
  rocksdb::IOStatus RangeSync(uint64_t offset, uint64_t count, const rocksdb::IOOptions& options,
                              rocksdb::IODebugContext* context) override;
  void PrepareWrite(std::size_t offset, std::size_t count, const rocksdb::IOOptions& options,
                    rocksdb::IODebugContext* context) override;
  rocksdb::IOStatus Allocate(uint64_t offset, uint64_t count, const rocksdb::IOOptions& options,
                             rocksdb::IODebugContext* context) override;

 private:
  Cipher cipher_;
  uint64_t size_;
  std::string encrypted_;  // kept for its memory: a log is appended to with every commit
};

}  // namespace waybill::engine::encryption
