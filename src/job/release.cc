#include "job/release.h"

#include <utility>

#include "job/actions.h"
#include "job/change.h"
#include "job/fields.h"
#include "job/lease.h"
#include "job/machine.h"

namespace waybill::job {

namespace {

void note_trouble(const contract::Record& record, Draft& draft, const ReleaseRequest& request) {
  const auto failed = attempts_of(record, draft);
  set_trouble(record, draft, {request.code, request.message, request.stack});
  if (failed) {
    draft.set_integer(path_of_text(record.work->attempts->text), *failed + 1);
  }
}

Result<Plan> decide(const Services& services, const ReleaseRequest& request, Draft draft) {
  const Subject& subject = request.target.subject;
  WAYBILL_TRY(check_work(services, subject));
  const std::string status = status_of(subject.record(), draft);
  if (!is_working(subject.record(), status)) {
    return wrong_state(subject, "be given back", status);
  }
  WAYBILL_TRY_ASSIGN(const auto receipt, find_receipt(services, subject, draft.seen().view(), request.lease));
  const bool counts = !request.code.empty();
  Plan plan{std::move(draft), {give_back(subject.kind->queue, receipt, request.wait_ms, counts)}};
  WAYBILL_TRY_ASSIGN(auto noted, note_release(services, subject, plan.draft.seen().view(), request.lease));
  if (noted) {
    plan.with.push_back(*std::move(noted));
  }
  if (counts) {
    note_trouble(subject.record(), plan.draft, request);
  }
  return plan;
}

}  // namespace

void release(const Services& services, ReleaseRequest request, Answer<Changed> done) {
  Target target = request.target;
  change(
      services, std::move(target), "release",
      [services, request = std::move(request)](Draft draft) {
        return decide(services, request, std::move(draft));
      },
      std::move(done));
}

}  // namespace waybill::job
