#include "job/finish.h"

#include <utility>

#include "job/actions.h"
#include "job/change.h"
#include "job/fields.h"
#include "job/lease.h"
#include "job/machine.h"

namespace waybill::job {

namespace {

Result<Plan> decide(const Services& services, const FinishRequest& request, Draft draft) {
  const Subject& subject = request.target.subject;
  WAYBILL_TRY(check_work(services, subject));
  const auto& work = *subject.record().work;
  if (!work.done) {
    return Error{
        ErrorKind::unsupported, "The contract does not say how a " + subject.record().name + " is done", {}};
  }
  const std::string status = status_of(subject.record(), draft);
  if (status == work.done->to.text) {
    return Plan{std::move(draft), {}, true};
  }
  if (!begins_at(*work.done, status)) {
    return wrong_state(subject, "be finished", status);
  }
  WAYBILL_TRY_ASSIGN(const auto receipt, find_receipt(services, subject, draft.seen().view(), request.lease));
  draft.merge(request.patch);
  end_at(subject.record(), draft, work.done->to.text);
  return Plan{std::move(draft), {settle(subject.kind->queue, receipt)}};
}

}  // namespace

void finish(const Services& services, FinishRequest request, Answer<Changed> done) {
  Target target = request.target;
  change(
      services, std::move(target), "finish",
      [services, request = std::move(request)](Draft draft) {
        return decide(services, request, std::move(draft));
      },
      std::move(done));
}

}  // namespace waybill::job
