#include "job/replay.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "job/actions.h"
#include "job/change.h"
#include "job/dead_letters.h"
#include "job/fields.h"
#include "job/lease.h"
#include "job/restart.h"

namespace waybill::job {

namespace {

// A dead letter can be received by somebody else just now.
constexpr int tries_max = 8;

Result<Plan> decide(const Services& services, const Target& target, Draft draft) {
  const Subject& subject = target.subject;
  const auto& record = subject.record();
  WAYBILL_TRY(check_replay(services, subject));
  const std::string status = status_of(record, draft);
  if (!may_replay(record, status)) {
    return wrong_state(subject, "be replayed", status);
  }
  WAYBILL_TRY_ASSIGN(const auto letter, find_dead_letter(services, subject, draft.seen().view()));
  restart(subject, draft);
  Plan plan{std::move(draft)};
  if (letter) {
    plan.with.push_back(settle(subject.kind->dead_letters, *letter));
  }
  return plan;
}

void try_replay(const Services& services, const Target& target, int tries, Answer<Changed> done) {
  change(
      services, target, "replay",
      [services, target](Draft draft) { return decide(services, target, std::move(draft)); },
      [services, target, tries, done = std::move(done)](Result<Changed> changed) mutable {
        const bool was_taken = !changed && changed.error().kind == ErrorKind::lease_lost;
        if (was_taken && tries < tries_max) {
          try_replay(services, target, tries + 1, std::move(done));
        } else {
          done(std::move(changed));
        }
      });
}

}  // namespace

Status check_replay(const Services& services, const Subject& subject) {
  WAYBILL_TRY(check_work(services, subject));
  if (!subject.record().work->replay) {
    return Error{
        ErrorKind::unsupported, "A " + subject.record().name + " is not replayed by its contract", {}};
  }
  return {};
}

void replay(const Services& services, const Target& target, Answer<Changed> done) {
  try_replay(services, target, 1, std::move(done));
}

}  // namespace waybill::job
