#include "job/decide_claim.h"

#include "job/fields.h"
#include "job/machine.h"

namespace waybill::job {

namespace {

using contract::Record;

ClaimDecision dropped() {
  return {ClaimKind::drop, 0};
}

ClaimDecision taken(const Record& record, Draft& draft, int64_t receives) {
  const auto& work = *record.work;
  if (work.next_attempt_at) {
    draft.remove(path_of_text(work.next_attempt_at->text));
  }
  reserve(record, draft);
  const auto failed = attempts_of(record, draft);
  return {ClaimKind::take, failed ? *failed + 1 : receives};
}

ClaimDecision taken_over(const Record& record, Draft& draft, int64_t receives) {
  const auto failed = attempts_of(record, draft);
  set_trouble(record, draft, {"LEASE_LOST", "The worker did not come back before its lease was over", ""});
  if (failed) {
    draft.set_integer(path_of_text(record.work->attempts->text), *failed + 1);
    const int64_t limit = attempts_limit(record, draft);
    if (limit > 0 && *failed + 1 >= limit) {
      return {ClaimKind::give_up, *failed + 1};
    }
  }
  return taken(record, draft, receives);
}

}  // namespace

int64_t attempts_limit(const Record& record, Draft& draft) {
  const auto& give_up = record.work->give_up;
  return give_up ? draft.integer(path_of_text(give_up->after.text)).value_or(0) : 0;
}

ClaimDecision decide_claim(const Record& record, Draft& draft, int64_t receives, bool was_released) {
  const auto& claim = *record.work->claim;
  const std::string status = status_of(record, draft);
  if (is_working(record, status)) {
    if (was_released) {
      return taken(record, draft, receives);
    }
    const bool pauses = record.work->steps && record.work->steps->pause;
    if (receives > 1) {
      return taken_over(record, draft, receives);
    }
    return pauses ? taken(record, draft, receives) : dropped();
  }
  if (!begins_at(claim, status) || !record.status->may_move(status, claim.to.text)) {
    return dropped();
  }
  move_to(record, draft, claim.to.text);
  return taken(record, draft, receives);
}

}  // namespace waybill::job
