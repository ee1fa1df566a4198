#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "base/result.h"
#include "object/content_id.h"

// The seam between contents and where they lie: a folder of this machine (folder_place.h), or another server
// that speaks S3. A place knows bytes under ids; what the bytes mean is block_format.h's.
namespace waybill::object {

// A content that is in its place, open. It stays readable while it is open, also where it is removed
// meanwhile. May outlive the place.
//
// Thread safety: every method may be called from any thread.
class PlacedContent {
 public:
  virtual ~PlacedContent() = default;

  // All that lies there, with what block_format.h puts behind the content.
  virtual uint64_t file_bytes() const = 0;

  // All of `out`. Error corruption where it ends before; unavailable where it may go better later.
  virtual Status read(uint64_t offset, std::span<char> out) const = 0;
};

// A content in the making, written from its front to its end. Nobody sees it before it is published, and
// nothing is left of it where its owner goes without. May outlive the place.
//
// Thread safety: any thread, one at a time.
class IncomingContent {
 public:
  virtual ~IncomingContent() = default;

  // Small pieces are gathered before they are written.
  virtual Status append(std::string_view bytes) = 0;

  // Appends `bytes` of another content of the same place, from `offset` on; by the place itself where it can.
  virtual Status append_copy(const PlacedContent& from, uint64_t offset, uint64_t bytes) = 0;

  // What was appended is there for good, whole and under its id. To be called once, as the last.
  virtual Result<ContentId> publish() = 0;
};

// Where contents lie, each under an id of the place's own making.
//
// Thread safety: every method may be called from any thread. All of them may block.
class ContentPlace {
 public:
  virtual ~ContentPlace() = default;

  virtual Result<std::unique_ptr<IncomingContent>> create() = 0;

  // Error not_found where there is none of that id.
  virtual Result<std::unique_ptr<PlacedContent>> open(const ContentId& id) const = 0;

  // Whether there was one, as far as the place can tell. Whoever has it open goes on.
  virtual Result<bool> remove(const ContentId& id) = 0;

  // Something that lies there.
  struct Found {
    std::optional<ContentId> id;  // absent: it is none of ours
    int64_t published_ms = 0;     // since 1970, by the store's clock
  };
  // Calls `visit` with all that lies there, in no order, until it gives an error. What it is called with may
  // be removed meanwhile, and other contents may come and go.
  using Visit = std::function<Status(const Found&)>;
  virtual Status visit(const Visit& visit) = 0;

  // Takes away what is left of contents that were begun before then, by a process that has ended since.
  virtual Status clear_incoming(int64_t older_than_ms) = 0;
};

}  // namespace waybill::object
