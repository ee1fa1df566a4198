#include "job/cancel.h"

#include <utility>

#include "job/change.h"
#include "job/fields.h"
#include "job/machine.h"

namespace waybill::job {

namespace {

Result<Plan> decide(const Subject& subject, Draft draft) {
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
  end_at(record, draft, cancel.to.text);
  return Plan{std::move(draft)};
}

}  // namespace

void cancel(const Services& services, Target target, Answer<Changed> done) {
  const Subject subject = target.subject;
  change(
      services, std::move(target), "cancel",
      [subject](Draft draft) { return decide(subject, std::move(draft)); }, std::move(done));
}

}  // namespace waybill::job
