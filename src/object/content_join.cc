#include "object/content_join.h"

#include "object/content_reader.h"

namespace waybill::object {
namespace {

Error too_many_segments() {
  return {ErrorKind::limit_exceeded,
          "The content would have too many pieces. Send it in fewer and larger parts.",
          {}};
}

// Adds the part's segments to those of the whole. Where a segment of the part is short, what follows in the
// file begins a block of its own, as it does in the part.
Status add_map(BlockMap& whole, const BlockMap& part) {
  for (const uint64_t length : part.lengths()) {
    whole.add_segment(length);
  }
  return whole.segment_count() <= segment_count_max ? Status() : Status(too_many_segments());
}

}  // namespace

Result<JoinedContent> join_contents(const std::shared_ptr<ContentPlace>& place,
                                    std::span<const ContentId> parts) {
  WAYBILL_TRY_ASSIGN(const auto file, place->create());
  BlockMap map;
  for (const auto& id : parts) {
    WAYBILL_TRY_ASSIGN(const auto part, ContentReader::open(place, id));
    WAYBILL_TRY(add_map(map, part.map()));
    WAYBILL_TRY(file->append_copy(part.placed(), 0, part.bytes()));
  }
  // Once more for the sums, which stand behind all bytes: they are 4 for 64 KiB.
  for (const auto& id : parts) {
    WAYBILL_TRY_ASSIGN(const auto part, ContentReader::open(place, id));
    WAYBILL_TRY(file->append_copy(part.placed(), part.sums_offset(), part.map().block_count() * sum_bytes));
  }
  WAYBILL_TRY(file->append(encode_map(map)));
  WAYBILL_TRY_ASSIGN(auto id, file->publish());
  return JoinedContent{std::move(id), map.content_bytes()};
}

}  // namespace waybill::object
