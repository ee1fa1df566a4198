#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/result.h"
#include "object/block_format.h"
#include "object/content_id.h"
#include "object/content_place.h"

namespace waybill::object {

// An open content. It stays readable while it is open, also where it is removed meanwhile. May outlive the
// store.
//
// What is read was held against the sums of its blocks: a block that is not as it was written is Error
// corruption, never wrong bytes. A read that takes part of a block reads all of it, so whoever reads from
// front to end does best with whole blocks (block_bytes) at a time.
//
// Thread safety: every method may be called from any thread.
class ContentReader {
 public:
  // Error not_found where there is none of that id, corruption where its file is not whole.
  static Result<ContentReader> open(const std::shared_ptr<const ContentPlace>& place, const ContentId& id);

  const ContentId& id() const { return id_; }
  uint64_t bytes() const { return map_.content_bytes(); }

  // Fills `out` from `offset` on, and says how many bytes that were: fewer only where the content ends. After
  // an error, what is in `out` is zeros.
  Result<std::size_t> read(uint64_t offset, std::span<char> out) const;

  // Reads everything and gives nothing: Error corruption where any block is damaged.
  Status verify() const;

  // For making contents of contents: what lies there.
  const PlacedContent& placed() const { return *placed_; }
  const BlockMap& map() const { return map_; }
  uint64_t sums_offset() const { return map_.content_bytes(); }

 private:
  ContentReader(ContentId id, std::unique_ptr<const PlacedContent> placed)
      : id_(std::move(id)), placed_(std::move(placed)) {}

  Status read_end_of_file();
  Error damaged(const Error& why) const;
  Result<std::size_t> read_some(uint64_t offset, std::span<char> out) const;
  Result<std::size_t> read_whole_blocks(const Block& first, std::span<char> out) const;
  Result<std::size_t> read_part_of(const Block& block, uint64_t offset, std::span<char> out) const;
  Status check_blocks(const Block& first, std::span<const char> bytes) const;
  Result<std::string> sums_of(uint64_t first_block, uint64_t count) const;

  ContentId id_;
  std::unique_ptr<const PlacedContent> placed_;
  BlockMap map_;
  std::string sums_;  // all of them where they are few, else empty
};

}  // namespace waybill::object
