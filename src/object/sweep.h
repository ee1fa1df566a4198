#pragma once

#include <cstdint>
#include <functional>

#include "object/content_id.h"
#include "object/content_place.h"

namespace waybill::object {

struct SweepReport {
  uint64_t seen = 0;     // contents
  uint64_t removed = 0;  // of them
  uint64_t foreign = 0;  // what is none of ours, which is left alone
};

// Whether some row knows of the content. An error ends the sweep: where in doubt nothing is removed.
using IsKnown = std::function<Result<bool>(const ContentId&)>;

// Removes contents that were committed before `older_than_ms` (since 1970, by the store's clock) and that no
// row knows of: what a crash left between a content's commit and its row's. Leave more time than a row's
// commit can take. Contents may come and go meanwhile. Of contents that were being made by a process that
// has ended, what is left goes as well.
Result<SweepReport> sweep_contents(ContentPlace& place, const IsKnown& is_known, int64_t older_than_ms);

}  // namespace waybill::object
