#include "job/progress.h"

#include <utility>

#include "job/actions.h"
#include "job/change.h"
#include "job/fields.h"
#include "job/lease.h"
#include "job/machine.h"

namespace waybill::job {

namespace {

Result<Plan> decide(const Services& services, const ProgressRequest& request, Draft draft) {
  const Subject& subject = request.target.subject;
  WAYBILL_TRY(check_work(services, subject));
  const std::string status = status_of(subject.record(), draft);
  if (!is_working(subject.record(), status)) {
    return wrong_state(subject, "be worked on", status);
  }
  WAYBILL_TRY_ASSIGN(const auto receipt, find_receipt(services, subject, draft.seen().view(), request.lease));
  draft.merge(request.patch);
  return Plan{std::move(draft), {hold(subject.kind->queue, receipt)}};
}

}  // namespace

void progress(const Services& services, ProgressRequest request, Answer<Changed> done) {
  Target target = request.target;
  change(
      services, std::move(target), "progress",
      [services, request = std::move(request)](Draft draft) {
        return decide(services, request, std::move(draft));
      },
      std::move(done));
}

}  // namespace waybill::job
