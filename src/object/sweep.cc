#include "object/sweep.h"

namespace waybill::object {

Result<SweepReport> sweep_contents(ContentPlace& place, const IsKnown& is_known, int64_t older_than_ms) {
  SweepReport report;
  WAYBILL_TRY(place.visit([&](const ContentPlace::Found& found) -> Status {
    if (!found.id) {
      ++report.foreign;
      return {};
    }
    ++report.seen;
    if (found.published_ms >= older_than_ms) {
      return {};
    }
    WAYBILL_TRY_ASSIGN(const bool known, is_known(*found.id));
    if (!known) {
      WAYBILL_TRY_ASSIGN(const bool was_there, place.remove(*found.id));
      report.removed += was_there ? 1 : 0;
    }
    return {};
  }));
  WAYBILL_TRY(place.clear_incoming(older_than_ms));
  return report;
}

}  // namespace waybill::object
