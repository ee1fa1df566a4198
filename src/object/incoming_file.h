#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "object/folders.h"

namespace waybill::object {

// A file in the making, written from its front to its end. Gone with its owner unless it was published.
//
// Thread safety: one thread at a time.
class IncomingFile {
 public:
  static Result<IncomingFile> create(std::shared_ptr<Folders> folders);
  ~IncomingFile();
  IncomingFile(IncomingFile&&) noexcept = default;
  IncomingFile& operator=(IncomingFile&&) = delete;

  // Small pieces are gathered before they are written.
  Status append(std::string_view bytes);

  // Appends `bytes` of another file, from `offset` on.
  Status append_copy(const Descriptor& from, uint64_t offset, uint64_t bytes);

  // The content is on disk and has its place. To be called once, as the last.
  Result<ContentId> publish();

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
