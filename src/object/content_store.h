#pragma once

#include <memory>
#include <span>
#include <string>

#include "base/clock.h"
#include "base/entropy.h"
#include "object/content_join.h"
#include "object/content_reader.h"
#include "object/content_writer.h"
#include "object/disk.h"
#include "object/sweep.h"

namespace waybill::object {

// Keeps contents of objects as files of one folder, each under an id of its own making. What a content is
// called and whose it is, is kept elsewhere: whoever has no row for a content any more removes it, and
// sweep() finds what was forgotten. A content never changes.
//
// Thread safety: every method may be called from any thread.
class ContentStore {
 public:
  struct Options {
    std::string path;              // made where it is not there; the folder that it is to be in is
    const Clock* clock = nullptr;  // outlives the store and all that it gave out, as do the next two
    Entropy* entropy = nullptr;
    Disk* disk = nullptr;  // null: the system's
  };

  // Removes what uploads have left that were under way when an earlier process ended. Error in_use where
  // another process has the folder; invalid where it cannot be made or opened.
  static Result<ContentStore> open(const Options& options);

  Result<ContentWriter> begin(const WriterOptions& options) {
    return ContentWriter::begin(folders_, options);
  }
  Result<ContentReader> read(const ContentId& id) const { return ContentReader::open(folders_, id); }
  Result<JoinedContent> join(std::span<const ContentId> parts) { return join_contents(folders_, parts); }

  // Whether there was one. Readers that have it open go on. Not synced: what comes back after a power cut is
  // swept.
  Result<bool> remove(const ContentId& id) { return folders_->remove_content(id); }

  Result<SweepReport> sweep(const IsKnown& is_known, int64_t older_than_ms) {
    return sweep_contents(*folders_, is_known, older_than_ms);
  }

 private:
  explicit ContentStore(std::shared_ptr<Folders> folders) : folders_(std::move(folders)) {}

  std::shared_ptr<Folders> folders_;
};

}  // namespace waybill::object
