#include "job/enqueue.h"

#include <utility>

#include "job/change.h"
#include "job/fields.h"
#include "job/lease.h"
#include "job/machine.h"

namespace waybill::job {

namespace {

Result<Plan> decide(const Services& services, const Subject& subject, Draft draft) {
  const auto& record = subject.record();
  WAYBILL_TRY(check_work(services, subject));
  const std::string status = status_of(record, draft);
  if (record.work->enqueue && begins_at(*record.work->enqueue, status)) {
    move_to(record, draft, record.work->enqueue->to.text);
    return Plan{std::move(draft)};
  }
  if (!record.work->arrival || status != record.status->start.text) {
    return wrong_state(subject, "be enqueued", status);
  }
  move_to(record, draft, status);
  return Plan{std::move(draft)};
}

}  // namespace

void enqueue(const Services& services, Target target, Answer<Changed> done) {
  const Subject subject = target.subject;
  change(
      services, std::move(target), "enqueue",
      [services, subject](Draft draft) { return decide(services, subject, std::move(draft)); },
      std::move(done));
}

}  // namespace waybill::job
