#include "engine/prepared_log.h"

#include <string_view>
#include <utility>

#include "engine/sync_behind.h"

namespace waybill::engine {

namespace {

using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;

// What is prepared at once: enough that few syncs pay for it, and little that is written in vain.
constexpr std::size_t stretch_bytes = 512ULL << 10;

class PreparedLog final : public rocksdb::FSWritableFile, private SyncBehind::Log {
 public:
  // Both are the same file: one that can be written anywhere, and one that can be cut.
  PreparedLog(std::unique_ptr<rocksdb::FSRandomRWFile> file, std::unique_ptr<rocksdb::FSWritableFile> whole)
      : file_(std::move(file)), whole_(std::move(whole)) {}

  using FSWritableFile::Append;
  IOStatus Append(const rocksdb::Slice& data, const IOOptions& options, IODebugContext* context) override {
    while (prepared_ < size_ + data.size()) {
      if (auto status = file_->Write(prepared_, zeros(), options, context); !status.ok()) {
        return status;
      }
      prepared_ += stretch_bytes;
    }
    auto status = file_->Write(size_, data, options, context);
    if (status.ok()) {
      size_ += data.size();
    }
    return status;
  }
  IOStatus Append(const rocksdb::Slice& data, const IOOptions& options,
                  const rocksdb::DataVerificationInfo& /*verify*/, IODebugContext* context) override {
    return Append(data, options, context);
  }

  IOStatus Flush(const IOOptions& /*options*/, IODebugContext* /*context*/) override {
    return IOStatus::OK();
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* context) override {
    const uint64_t from = std::exchange(started_, size_);
    if (SyncBehind::puts_off(*this)) {
      return whole_->RangeSync(from, size_ - from, options, context);
    }
    return file_->Sync(options, context);
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* context) override {
    return file_->Fsync(options, context);
  }
  bool IsSyncThreadSafe() const override { return true; }
  uint64_t GetFileSize(const IOOptions& /*options*/, IODebugContext* /*context*/) override { return size_; }
  void PrepareWrite(std::size_t /*offset*/, std::size_t /*size*/, const IOOptions& /*options*/,
                    IODebugContext* /*context*/) override {}

  // What was prepared and not used goes.
  IOStatus Close(const IOOptions& options, IODebugContext* context) override {
    auto status = whole_->Truncate(size_, options, context);
    for (const auto& closed : {whole_->Close(options, context), file_->Close(options, context)}) {
      if (status.ok()) {
        status = closed;
      }
    }
    return status;
  }

 private:
  IOStatus sync_now() override { return file_->Sync(IOOptions(), nullptr); }

  static rocksdb::Slice zeros() {
    static const std::string bytes(stretch_bytes, '\0');
    return bytes;
  }

  const std::unique_ptr<rocksdb::FSRandomRWFile> file_;
  const std::unique_ptr<rocksdb::FSWritableFile> whole_;
  uint64_t size_ = 0;
  uint64_t prepared_ = 0;  // up to where the file has bytes
  uint64_t started_ = 0;   // up to where the disk was told to write
};

}  // namespace

IOStatus PreparedLogFileSystem::NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                                std::unique_ptr<rocksdb::FSWritableFile>* file,
                                                IODebugContext* context) {
  const auto status = target()->NewWritableFile(path, options, file, context);
  if (!status.ok() || !std::string_view(path).ends_with(".log")) {
    return status;
  }
  std::unique_ptr<rocksdb::FSRandomRWFile> log;
  if (target()->NewRandomRWFile(path, options, &log, context).ok()) {
    *file = std::make_unique<PreparedLog>(std::move(log), std::move(*file));
  }
  return status;
}

}  // namespace waybill::engine
