#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "object/content_place.h"
#include "object/folders.h"

namespace waybill::object {

// An open file of the folder.
class PlacedFile final : public PlacedContent {
 public:
  PlacedFile(std::shared_ptr<const Folders> folders, Descriptor file, uint64_t bytes)
      : folders_(std::move(folders)), file_(std::move(file)), bytes_(bytes) {}

  uint64_t file_bytes() const override { return bytes_; }
  Status read(uint64_t offset, std::span<char> out) const override {
    return read_all(folders_->disk(), file_, offset, out);
  }

  const Descriptor& file() const { return file_; }

 private:
  std::shared_ptr<const Folders> folders_;
  Descriptor file_;
  uint64_t bytes_;
};

// A file in the making. Gone with its owner unless it was published.
class IncomingFile final : public IncomingContent {
 public:
  static Result<IncomingFile> create(std::shared_ptr<Folders> folders);
  ~IncomingFile() override;
  IncomingFile(IncomingFile&&) noexcept = default;
  IncomingFile& operator=(IncomingFile&&) = delete;

  Status append(std::string_view bytes) override;

  // By the kernel, or not at all where the file system can share the bytes.
  Status append_copy(const PlacedContent& from, uint64_t offset, uint64_t bytes) override;

  Result<ContentId> publish() override;

 private:
  IncomingFile(std::shared_ptr<Folders> folders, Folders::Incoming incoming)
      : folders_(std::move(folders)), incoming_(std::move(incoming)) {}

  Status flush();
  void wrote(uint64_t bytes);

  std::shared_ptr<Folders> folders_;
  Folders::Incoming incoming_;
  std::string gathered_;
  uint64_t written_bytes_ = 0;
  uint64_t started_bytes_ = 0;  // of them, on their way to disk already
};

}  // namespace waybill::object
