#include "job/step.h"

#include <utility>

#include "job/actions.h"
#include "job/change.h"
#include "job/decide_step.h"
#include "job/fields.h"
#include "job/lease.h"
#include "job/machine.h"
#include "job/step_record.h"

namespace waybill::job {

namespace {

Status check_steps(const Services& services, const Subject& subject) {
  WAYBILL_TRY(check_work(services, subject));
  if (!subject.record().work->steps) {
    return Error{ErrorKind::unsupported, "A " + subject.record().name + " has no steps by its contract", {}};
  }
  return {};
}

// Where the step's own record has some way to go first, that is done in transactions of its own; the last of
// its moves goes with the cursor's.
Result<Plan> with_record(const Services& services, const StepRequest& request, const queue::Receipt& receipt,
                         const std::string& name, Patch patch, Draft draft) {
  const Subject& subject = request.target.subject;
  const auto& done = subject.record().work->done;
  Plan plan{std::move(draft), {hold(subject.kind->queue, receipt)}};
  const StepWish wish{name, done ? done->to.text : "", std::move(patch), ""};
  WAYBILL_TRY_ASSIGN(auto move, step_towards(services, subject, plan.draft.seen().view(), wish));
  if (!move) {
    return plan;
  }
  plan.with.push_back(std::move(move->action));
  if (!move->is_last) {
    plan.draft = Draft(plan.draft.seen());
    plan.goes_on = true;
  }
  return plan;
}

Result<Plan> decide(const Services& services, const StepRequest& request, Draft draft) {
  const Subject& subject = request.target.subject;
  const auto& record = subject.record();
  WAYBILL_TRY(check_steps(services, subject));
  const std::string status = status_of(record, draft);
  if (!is_working(record, status)) {
    return wrong_state(subject, "be worked on", status);
  }
  WAYBILL_TRY_ASSIGN(const auto receipt, find_receipt(services, subject, draft.seen().view(), request.lease));
  const std::string name = request.step.empty() ? current_step(record, draft) : request.step;
  WAYBILL_TRY_ASSIGN(const auto kind, advance(record, draft, request.step));
  bool is_repeated = kind == StepKind::repeated;
  if (kind == StepKind::last && record.work->done) {
    WAYBILL_TRY_ASSIGN(is_repeated,
                       step_is_in(services, subject, draft.seen().view(), name, record.work->done->to.text));
  }
  if (is_repeated) {
    return Plan{std::move(draft), {}, true};
  }
  Patch patch = request.patch;
  auto of_step = take_step_patch(subject, patch);
  draft.merge(patch);
  for (const auto& [counter, amount] : request.spend) {
    WAYBILL_TRY(spend(record, draft, counter, amount));
  }
  return with_record(services, request, receipt, name, std::move(of_step), std::move(draft));
}

}  // namespace

void step(const Services& services, StepRequest request, Answer<Changed> done) {
  Target target = request.target;
  change(
      services, std::move(target), "step",
      [services, request = std::move(request)](Draft draft) {
        return decide(services, request, std::move(draft));
      },
      std::move(done));
}

}  // namespace waybill::job
