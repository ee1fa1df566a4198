#pragma once

#include <memory>
#include <span>

#include "object/content_id.h"
#include "object/content_place.h"

namespace waybill::object {

struct JoinedContent {
  ContentId id;
  uint64_t bytes = 0;
};

// Makes one content of the given ones, in their order; they stay what and where they are. Bytes are copied by
// the place where it can, and keep the sums that they were written with: damage of a part is noticed when its
// bytes are read, here or there. One part is open at a time.
//
// Error not_found where a part is not there, corruption where its file is not whole, limit_exceeded where
// there would be more than segment_count_max segments.
Result<JoinedContent> join_contents(const std::shared_ptr<ContentPlace>& place,
                                    std::span<const ContentId> parts);

}  // namespace waybill::object
