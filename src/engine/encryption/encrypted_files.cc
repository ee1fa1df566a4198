#include "engine/encryption/encrypted_files.h"

#include <algorithm>
#include <utility>

#include "engine/encryption/file_header.h"

namespace waybill::engine::encryption {

using rocksdb::DataVerificationInfo;
using rocksdb::FSReadRequest;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

namespace {

constexpr std::size_t append_bytes_max =
    128U << 10;  // encrypted at once: they stay in the cache until they are written

// Decrypts what was read. It need not lie in the reader's own memory; it does afterwards.
template <typename AnyCipher>
void decrypt(AnyCipher& cipher, uint64_t offset, char* scratch, Slice* result) {
  cipher.apply(offset, result->data(), scratch, result->size());
  *result = Slice(scratch, result->size());
}

}  // namespace

EncryptedSequentialFile::EncryptedSequentialFile(std::unique_ptr<rocksdb::FSSequentialFile>&& file,
                                                 const Secret& file_key)
    : FSSequentialFileOwnerWrapper(std::move(file)), cipher_(file_key) {}

IOStatus EncryptedSequentialFile::Read(std::size_t count, const IOOptions& options, Slice* result,
                                       char* scratch, IODebugContext* context) {
  auto status = target()->Read(count, options, result, scratch, context);
  if (status.ok()) {
    decrypt(cipher_, position_, scratch, result);
    position_ += result->size();
  }
  return status;
}

IOStatus EncryptedSequentialFile::Skip(uint64_t count) {
  auto status = target()->Skip(count);
  if (status.ok()) {
    position_ += count;
  }
  return status;
}

IOStatus EncryptedSequentialFile::InvalidateCache(std::size_t offset, std::size_t length) {
  return target()->InvalidateCache(offset + header_bytes, length);
}

IOStatus EncryptedSequentialFile::PositionedRead(uint64_t offset, std::size_t count, const IOOptions& options,
                                                 Slice* result, char* scratch, IODebugContext* context) {
  auto status = target()->PositionedRead(offset + header_bytes, count, options, result, scratch, context);
  if (status.ok()) {
    decrypt(cipher_, offset, scratch, result);
  }
  return status;
}

EncryptedRandomAccessFile::EncryptedRandomAccessFile(std::unique_ptr<rocksdb::FSRandomAccessFile>&& file,
                                                     const Secret& file_key)
    : FSRandomAccessFileOwnerWrapper(std::move(file)), cipher_(file_key) {}

IOStatus EncryptedRandomAccessFile::Read(uint64_t offset, std::size_t count, const IOOptions& options,
                                         Slice* result, char* scratch, IODebugContext* context) const {
  auto status = target()->Read(offset + header_bytes, count, options, result, scratch, context);
  if (status.ok()) {
    decrypt(cipher_, offset, scratch, result);
  }
  return status;
}

IOStatus EncryptedRandomAccessFile::MultiRead(FSReadRequest* requests, std::size_t count,
                                              const IOOptions& options, IODebugContext* context) {
  for (std::size_t i = 0; i < count; ++i) {
    requests[i].offset += header_bytes;
  }
  auto status = target()->MultiRead(requests, count, options, context);
  for (std::size_t i = 0; i < count; ++i) {
    requests[i].offset -= header_bytes;
    if (status.ok() && requests[i].status.ok()) {
      decrypt(cipher_, requests[i].offset, requests[i].scratch, &requests[i].result);
    }
  }
  return status;
}

IOStatus EncryptedRandomAccessFile::Prefetch(uint64_t offset, std::size_t count, const IOOptions& options,
                                             IODebugContext* context) {
  return target()->Prefetch(offset + header_bytes, count, options, context);
}

IOStatus EncryptedRandomAccessFile::InvalidateCache(std::size_t offset, std::size_t length) {
  return target()->InvalidateCache(offset + header_bytes, length);
}

// Reads at once and then calls `done`: there is nothing to wait for, and so no handle.
IOStatus EncryptedRandomAccessFile::ReadAsync(FSReadRequest& request, const IOOptions& options,
                                              std::function<void(const FSReadRequest&, void*)> done,
                                              void* argument, void** /*handle*/,
                                              rocksdb::IOHandleDeleter* /*deleter*/,
                                              IODebugContext* context) {
  request.status = Read(request.offset, request.len, options, &request.result, request.scratch, context);
  done(request, argument);
  return IOStatus::OK();
}

EncryptedWritableFile::EncryptedWritableFile(std::unique_ptr<rocksdb::FSWritableFile>&& file,
                                             const Secret& file_key, uint64_t size)
    : FSWritableFileOwnerWrapper(std::move(file)), cipher_(file_key), size_(size) {}

IOStatus EncryptedWritableFile::Append(const Slice& data, const IOOptions& options, IODebugContext* context) {
  for (std::size_t at = 0; at < data.size();) {
    const std::size_t count = std::min(data.size() - at, append_bytes_max);
    if (encrypted_.size() < count) {
      encrypted_.resize(count);
    }
    cipher_.apply(size_, data.data() + at, encrypted_.data(), count);
    if (auto status = target()->Append(Slice(encrypted_.data(), count), options, context); !status.ok()) {
      return status;
    }
    size_ += count;
    at += count;
  }
  return IOStatus::OK();
}

// The checksum that came along is of the plain bytes; the file beneath sees others.
IOStatus EncryptedWritableFile::Append(const Slice& data, const IOOptions& options,
                                       const DataVerificationInfo& /*verification*/,
                                       IODebugContext* context) {
  return Append(data, options, context);
}

// For direct I/O, which writes the same place again with more behind it. We do not use it.
IOStatus EncryptedWritableFile::PositionedAppend(const Slice& /*data*/, uint64_t /*offset*/,
                                                 const IOOptions& /*options*/, IODebugContext* /*context*/) {
  return IOStatus::NotSupported("an encrypted file is written from front to back");
}

IOStatus EncryptedWritableFile::PositionedAppend(const Slice& data, uint64_t offset, const IOOptions& options,
                                                 const DataVerificationInfo& /*verification*/,
                                                 IODebugContext* context) {
  return PositionedAppend(data, offset, options, context);
}

IOStatus EncryptedWritableFile::Truncate(uint64_t size, const IOOptions& options, IODebugContext* context) {
  auto status = target()->Truncate(size + header_bytes, options, context);
  if (status.ok()) {
    size_ = size;
  }
  return status;
}

uint64_t EncryptedWritableFile::GetFileSize(const IOOptions& /*options*/, IODebugContext* /*context*/) {
  return size_;
}

IOStatus EncryptedWritableFile::InvalidateCache(std::size_t offset, std::size_t length) {
  return target()->InvalidateCache(offset + header_bytes, length);
}

IOStatus EncryptedWritableFile::RangeSync(uint64_t offset, uint64_t count, const IOOptions& options,
                                          IODebugContext* context) {
  return target()->RangeSync(offset + header_bytes, count, options, context);
}

void EncryptedWritableFile::PrepareWrite(std::size_t offset, std::size_t count, const IOOptions& options,
                                         IODebugContext* context) {
  target()->PrepareWrite(offset + header_bytes, count, options, context);
}

IOStatus EncryptedWritableFile::Allocate(uint64_t offset, uint64_t count, const IOOptions& options,
                                         IODebugContext* context) {
  return target()->Allocate(offset + header_bytes, count, options, context);
}

}  // namespace waybill::engine::encryption
