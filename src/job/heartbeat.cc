#include "job/heartbeat.h"

#include <utility>

#include "job/actions.h"
#include "job/change.h"
#include "job/fields.h"
#include "job/machine.h"

namespace waybill::job {

namespace {

// The lease begins when this was decided, or a moment later: never earlier.
Result<Plan> decide(const Services& services, const HeartbeatRequest& request, Draft draft, Lease& lease) {
  const Subject& subject = request.target.subject;
  WAYBILL_TRY(check_work(services, subject));
  const std::string status = status_of(subject.record(), draft);
  if (!is_working(subject.record(), status)) {
    return wrong_state(subject, "be worked on", status);
  }
  WAYBILL_TRY_ASSIGN(const auto lease_ms, lease_ms_of(services, subject, request.lease_ms));
  WAYBILL_TRY_ASSIGN(const auto receipt, find_receipt(services, subject, draft.seen().view(), request.lease));
  lease = lease_of(receipt, services.clock.wall_ms() + lease_ms);
  return Plan{std::move(draft), {settle(subject.kind->queue, receipt, lease_ms)}};
}

}  // namespace

void heartbeat(const Services& services, HeartbeatRequest request, Answer<Lease> done) {
  Target target = request.target;
  auto lease = std::make_shared<Lease>();
  change(
      services, std::move(target), "heartbeat",
      [services, lease, request = std::move(request)](Draft draft) {
        return decide(services, request, std::move(draft), *lease);
      },
      [lease, done = std::move(done)](Result<Changed> changed) mutable {
        if (changed) {
          done(std::move(*lease));
        } else {
          done(std::move(changed).error());
        }
      });
}

}  // namespace waybill::job
