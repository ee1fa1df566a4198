#include "engine/encryption/encrypted_file_system.h"

#include <algorithm>
#include <utility>

#include "engine/encryption/encrypted_files.h"

namespace waybill::engine::encryption {

using rocksdb::FileOptions;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

namespace {

// Up to header_bytes bytes from where `file` stands; fewer at its end.
IOStatus read_header(rocksdb::FSSequentialFile& file, const IOOptions& options, std::string& bytes) {
  std::string scratch(header_bytes, '\0');
  while (bytes.size() < header_bytes) {
    Slice part;
    auto status = file.Read(header_bytes - bytes.size(), options, &part, scratch.data(), nullptr);
    if (!status.ok() || part.empty()) {
      return status;
    }
    bytes.append(part.data(), part.size());
  }
  return IOStatus::OK();
}

}  // namespace

EncryptedFileSystem::EncryptedFileSystem(const std::shared_ptr<rocksdb::FileSystem>& base, KeyRingPtr keys,
                                         Entropy& entropy, PlainFiles plain_files)
    : FileSystemWrapper(base),
      entropy_(entropy),
      plain_files_accepted_(plain_files == PlainFiles::accepted),
      keys_(std::move(keys)) {}

void EncryptedFileSystem::use(KeyRingPtr keys) {
  const std::lock_guard names(names_mutex_);
  const std::lock_guard lock(keys_mutex_);
  keys_ = std::move(keys);
}

KeyRingPtr EncryptedFileSystem::keys() const {
  const std::lock_guard lock(keys_mutex_);
  return keys_;
}

std::unique_lock<std::mutex> EncryptedFileSystem::lock_while_converting() {
  std::unique_lock lock(names_mutex_, std::defer_lock);
  if (plain_files_accepted_.load()) {
    lock.lock();
  }
  return lock;
}

IOStatus EncryptedFileSystem::judge_start(const std::string& path, std::string_view bytes,
                                          Start& start) const {
  start.content = content_of(bytes);
  if (start.content == Content::plain && !plain_files_accepted_.load()) {
    return IOStatus::Corruption(path, "it is not encrypted, but this store is");
  }
  if (start.content == Content::sealed) {
    auto opened = open_header(bytes, *keys());
    if (!opened) {
      return IOStatus::Corruption(path, opened.error().message);
    }
    start.file_key = *std::move(opened);
  }
  return IOStatus::OK();
}

IOStatus EncryptedFileSystem::read_start(const std::string& path, Start& start) const {
  std::unique_ptr<rocksdb::FSSequentialFile> file;
  if (auto status = target_->NewSequentialFile(path, FileOptions(), &file, nullptr); !status.ok()) {
    return status;
  }
  std::string bytes;
  if (auto status = read_header(*file, IOOptions(), bytes); !status.ok()) {
    return status;
  }
  return judge_start(path, bytes, start);
}

IOStatus EncryptedFileSystem::NewSequentialFile(const std::string& path, const FileOptions& options,
                                                std::unique_ptr<rocksdb::FSSequentialFile>* file,
                                                IODebugContext* context) {
  const std::lock_guard lock(names_mutex_);  // what is looked at is what is opened
  std::unique_ptr<rocksdb::FSSequentialFile> opened;
  auto status = target()->NewSequentialFile(path, options, &opened, context);
  std::string bytes;
  if (status.ok()) {
    status = read_header(*opened, options.io_options, bytes);
  }
  Start start;
  if (status.ok()) {
    status = judge_start(path, bytes, start);
  }
  if (!status.ok()) {
    return status;
  }
  switch (start.content) {
    case Content::sealed:
      *file = std::make_unique<EncryptedSequentialFile>(std::move(opened), start.file_key);
      return status;
    case Content::empty:
      *file = std::make_unique<NothingToRead>();
      return status;
    case Content::plain:
      break;
  }
  return target()->NewSequentialFile(path, options, file, context);
}

IOStatus EncryptedFileSystem::NewRandomAccessFile(const std::string& path, const FileOptions& options,
                                                  std::unique_ptr<rocksdb::FSRandomAccessFile>* file,
                                                  IODebugContext* context) {
  const std::lock_guard lock(names_mutex_);  // what is looked at is what is opened
  Start start;
  if (auto status = read_start(path, start); !status.ok()) {
    return status;
  }
  std::unique_ptr<rocksdb::FSRandomAccessFile> opened;
  auto status = target()->NewRandomAccessFile(path, options, &opened, context);
  if (!status.ok()) {
    return status;
  }
  if (start.content == Content::empty) {
    return IOStatus::Corruption(path, "there is nothing in it");
  }
  if (start.content == Content::sealed) {
    *file = std::make_unique<EncryptedRandomAccessFile>(std::move(opened), start.file_key);
  } else {
    *file = std::move(opened);
  }
  return status;
}

IOStatus EncryptedFileSystem::NewWritableFile(const std::string& path, const FileOptions& options,
                                              std::unique_ptr<rocksdb::FSWritableFile>* file,
                                              IODebugContext* context) {
  const std::lock_guard lock(names_mutex_);
  std::unique_ptr<rocksdb::FSWritableFile> made;
  auto status = target()->NewWritableFile(path, options, &made, context);
  if (!status.ok()) {
    return status;
  }
  const NewHeader header = make_header(*keys(), entropy_);
  status = made->Append(header.bytes, options.io_options, context);
  if (status.ok()) {
    *file = std::make_unique<EncryptedWritableFile>(std::move(made), header.file_key, 0);
  }
  return status;
}

IOStatus EncryptedFileSystem::ReopenWritableFile(const std::string& path, const FileOptions& options,
                                                 std::unique_ptr<rocksdb::FSWritableFile>* file,
                                                 IODebugContext* context) {
  Start start;
  auto status = IOStatus::OK();
  {
    const std::lock_guard lock(names_mutex_);
    status = read_start(path, start);
  }
  if (status.IsNotFound() || status.IsPathNotFound() || (status.ok() && start.content == Content::empty)) {
    return NewWritableFile(path, options, file, context);
  }
  uint64_t size = 0;
  if (status.ok()) {
    status = GetFileSize(path, options.io_options, &size, context);
  }
  std::unique_ptr<rocksdb::FSWritableFile> opened;
  if (status.ok()) {
    status = target()->ReopenWritableFile(path, options, &opened, context);
  }
  if (!status.ok()) {
    return status;
  }
  if (start.content == Content::sealed) {
    *file = std::make_unique<EncryptedWritableFile>(std::move(opened), start.file_key, size);
  } else {
    *file = std::move(opened);  // from before the store was encrypted: RocksDB cuts such files, no more
  }
  return status;
}

IOStatus EncryptedFileSystem::ReuseWritableFile(const std::string& path, const std::string& old_path,
                                                const FileOptions& options,
                                                std::unique_ptr<rocksdb::FSWritableFile>* file,
                                                IODebugContext* context) {
  if (auto status = RenameFile(old_path, path, options.io_options, context); !status.ok()) {
    return status;
  }
  return NewWritableFile(path, options, file, context);
}

IOStatus EncryptedFileSystem::NewLogger(const std::string& path, const IOOptions& options,
                                        std::shared_ptr<rocksdb::Logger>* logger, IODebugContext* context) {
  // FileSystem's own comes back to NewWritableFile() here; the wrapper's would write a plain file.
  return FileSystem::NewLogger(path, options, logger, context);  // NOLINT(bugprone-parent-virtual-call)
}

IOStatus EncryptedFileSystem::NewRandomRWFile(const std::string& path, const FileOptions& /*options*/,
                                              std::unique_ptr<rocksdb::FSRandomRWFile>* /*file*/,
                                              IODebugContext* /*context*/) {
  return IOStatus::NotSupported(path, "an encrypted file is written from front to back");
}

IOStatus EncryptedFileSystem::NewMemoryMappedFileBuffer(
    const std::string& path, std::unique_ptr<rocksdb::MemoryMappedFileBuffer>* /*result*/) {
  return IOStatus::NotSupported(path, "an encrypted file cannot be mapped");
}

IOStatus EncryptedFileSystem::GetFileSize(const std::string& path, const IOOptions& options, uint64_t* size,
                                          IODebugContext* context) {
  const std::lock_guard lock(names_mutex_);
  Start start;
  auto status = read_start(path, start);
  if (status.ok()) {
    status = target()->GetFileSize(path, options, size, context);
  }
  if (status.ok() && start.content != Content::plain) {
    *size = start.content == Content::sealed ? *size - std::min<uint64_t>(*size, header_bytes) : 0;
  }
  return status;
}

IOStatus EncryptedFileSystem::GetChildrenFileAttributes(const std::string& directory,
                                                        const IOOptions& options,
                                                        std::vector<rocksdb::FileAttributes>* attributes,
                                                        IODebugContext* context) {
  auto status = target()->GetChildrenFileAttributes(directory, options, attributes, context);
  for (std::size_t i = 0; status.ok() && i < attributes->size(); ++i) {
    auto& file = (*attributes)[i];
    status = GetFileSize(directory + "/" + file.name, options, &file.size_bytes, context);
    if (status.IsNotFound() || status.IsPathNotFound()) {
      status = IOStatus::OK();  // it went meanwhile
    }
  }
  return status;
}

IOStatus EncryptedFileSystem::Truncate(const std::string& path, std::size_t size, const IOOptions& options,
                                       IODebugContext* context) {
  const std::lock_guard lock(names_mutex_);
  Start start;
  if (auto status = read_start(path, start); !status.ok()) {
    return status;
  }
  const std::size_t before = start.content == Content::sealed ? header_bytes : 0;
  return target()->Truncate(path, size + before, options, context);
}

IOStatus EncryptedFileSystem::RenameFile(const std::string& from, const std::string& to,
                                         const IOOptions& options, IODebugContext* context) {
  const auto lock = lock_while_converting();
  return target()->RenameFile(from, to, options, context);
}

IOStatus EncryptedFileSystem::DeleteFile(const std::string& path, const IOOptions& options,
                                         IODebugContext* context) {
  const auto lock = lock_while_converting();
  return target()->DeleteFile(path, options, context);
}

}  // namespace waybill::engine::encryption
