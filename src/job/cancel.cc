#include "job/cancel.h"

#include <utility>

#include "job/change.h"
#include "job/fields.h"
#include "job/machine.h"
#include "job/step_record.h"

namespace waybill::job {

namespace {

Result<Plan> decide(const Services& services, const Subject& subject, Draft draft) {
  const auto& record = subject.record();
  if (!record.status || !record.work || !record.work->cancel) {
    return Error{ErrorKind::unsupported, "A " + record.name + " cannot be canceled by its contract", {}};
  }
  const auto& cancel = *record.work->cancel;
  const std::string status = status_of(record, draft);
  if (status == cancel.to.text) {
    return Plan{std::move(draft), {}, true};
  }
  if (is_end(record, status) || !begins_at(cancel, status)) {
    return wrong_state(subject, "be canceled", status);
  }
  WAYBILL_TRY_ASSIGN(auto step, close_step(services, subject, draft, cancel.to.text));
  end_at(record, draft, cancel.to.text);
  Plan plan{std::move(draft)};
  if (step) {
    plan.with.push_back(*std::move(step));
  }
  return plan;
}

}  // namespace

void cancel(const Services& services, Target target, Answer<Changed> done) {
  const Subject subject = target.subject;
  change(
      services, std::move(target), "cancel",
      [services, subject](Draft draft) { return decide(services, subject, std::move(draft)); },
      std::move(done));
}

}  // namespace waybill::job
