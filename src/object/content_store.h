#pragma once

#include <memory>
#include <span>
#include <string>

#include "base/clock.h"
#include "base/entropy.h"
#include "object/content_join.h"
#include "object/content_place.h"
#include "object/content_reader.h"
#include "object/content_writer.h"
#include "object/disk.h"
#include "object/sweep.h"

namespace waybill::object {

// Keeps contents of objects, each under an id of its own making: as files of a folder, or in another place
// (content_place.h). What a content is
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

  // In a place that is open.
  explicit ContentStore(std::shared_ptr<ContentPlace> place) : place_(std::move(place)) {}

  Result<ContentWriter> begin(const WriterOptions& options) { return ContentWriter::begin(*place_, options); }
  Result<ContentReader> read(const ContentId& id) const { return ContentReader::open(place_, id); }
  Result<JoinedContent> join(std::span<const ContentId> parts) { return join_contents(place_, parts); }

  // Whether there was one. Readers that have it open go on.
  Result<bool> remove(const ContentId& id) { return place_->remove(id); }

  Result<SweepReport> sweep(const IsKnown& is_known, int64_t older_than_ms) {
    return sweep_contents(*place_, is_known, older_than_ms);
  }

 private:
  std::shared_ptr<ContentPlace> place_;
};

}  // namespace waybill::object
