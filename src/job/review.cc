#include "job/review.h"

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

using contract::Work;

Status check_review(const Subject& subject) {
  const auto& record = subject.record();
  const bool has_review = record.status && record.work && record.work->steps && record.work->steps->pause &&
                          record.work->steps->resume && record.work->steps->reject;
  if (!has_review) {
    return Error{
        ErrorKind::unsupported, "Steps of a " + record.name + " are not reviewed by its contract", {}};
  }
  return {};
}

// A step that is recorded as done stays done, also the last of them, at which the cursor stays.
Status check_open(const Services& services, const Subject& subject, const Draft& draft,
                  const std::string& step) {
  const auto& done = subject.record().work->done;
  if (!done) {
    return {};
  }
  WAYBILL_TRY_ASSIGN(const bool is_done,
                     step_is_in(services, subject, draft.seen().view(), step, done->to.text));
  if (is_done) {
    return Error{ErrorKind::condition_failed,
                 "Step " + step + " cannot be paused at: it is done already (rule steps)", "steps"};
  }
  return {};
}

// The plan together with what becomes of the step's own record. As long as that is not where it should be,
// the job itself waits, and a worker that does this must have its lease (`held`).
Result<Plan> together(const Services& services, const Subject& subject, Plan plan, const StepWish& wish,
                      const Held* held = nullptr) {
  WAYBILL_TRY_ASSIGN(auto move, step_towards(services, subject, plan.draft.seen().view(), wish));
  if (!move) {
    return plan;
  }
  if (move->is_last) {
    plan.with.push_back(std::move(move->action));
    return plan;
  }
  Plan first{Draft(plan.draft.seen())};
  first.draft.text({subject.record().status->field.text});
  if (held != nullptr) {
    first.with.push_back(hold(subject.kind->queue, held->receipt));
  }
  first.with.push_back(std::move(move->action));
  first.goes_on = true;
  return first;
}

Result<Plan> decide_pause(const Services& services, const PauseRequest& request, Draft draft) {
  const Subject& subject = request.target.subject;
  const auto& record = subject.record();
  WAYBILL_TRY(check_work(services, subject));
  WAYBILL_TRY(check_review(subject));
  const std::string status = status_of(record, draft);
  const std::string& paused = record.work->steps->pause->text;
  if (status == paused) {
    return Plan{std::move(draft), {}, true};
  }
  if (!is_working(record, status)) {
    return wrong_state(subject, "be paused", status);
  }
  WAYBILL_TRY_ASSIGN(const auto held, find_held(services, subject, draft.seen().view(), request.lease));
  const std::string current = current_step(record, draft);
  if (!request.step.empty() && request.step != current) {
    return Error{
        ErrorKind::condition_failed,
        "Step " + request.step + " cannot be paused at: the record is at " + current + " (rule steps)",
        "steps"};
  }
  WAYBILL_TRY(check_open(services, subject, draft, current));
  Patch patch = request.patch;
  StepWish wish{current, paused, take_step_patch(subject, patch), ""};
  draft.merge(patch);
  move_to(record, draft, paused);
  return together(services, subject, Plan{std::move(draft), {settle(subject.kind->queue, held.receipt)}},
                  wish, &held);
}

Result<Plan> decide_approve(const Services& services, const Target& target, Draft draft) {
  const Subject& subject = target.subject;
  const auto& record = subject.record();
  WAYBILL_TRY(check_review(subject));
  const auto& steps = *record.work->steps;
  const std::string status = status_of(record, draft);
  if (status != steps.pause->text) {
    return wrong_state(subject, "be approved: no step of it waits for a decision", status);
  }
  const std::string current = current_step(record, draft);
  const std::string done = record.work->done ? record.work->done->to.text : "";
  WAYBILL_TRY(advance(record, draft, current));
  move_to(record, draft, steps.resume->text);
  return together(services, subject, Plan{std::move(draft)}, {current, done, {}, target.author.name});
}

Result<Plan> decide_reject(const Services& services, const Target& target, Draft draft) {
  const Subject& subject = target.subject;
  const auto& record = subject.record();
  WAYBILL_TRY(check_review(subject));
  const auto& steps = *record.work->steps;
  const std::string status = status_of(record, draft);
  if (status != steps.pause->text) {
    return wrong_state(subject, "be rejected: no step of it waits for a decision", status);
  }
  const std::string current = current_step(record, draft);
  end_at(record, draft, steps.reject->text);
  set_trouble(record, draft, {"REJECTED", target.author.why.empty() ? "Rejected" : target.author.why, ""});
  return together(services, subject, Plan{std::move(draft)}, {current, steps.reject->text, {}, ""});
}

}  // namespace

void pause(const Services& services, PauseRequest request, Answer<Changed> done) {
  Target target = request.target;
  change(
      services, std::move(target), "pause",
      [services, request = std::move(request)](Draft draft) {
        return decide_pause(services, request, std::move(draft));
      },
      std::move(done));
}

void approve(const Services& services, Target target, Answer<Changed> done) {
  const Target copy = target;
  change(
      services, std::move(target), "approve",
      [services, copy](Draft draft) { return decide_approve(services, copy, std::move(draft)); },
      std::move(done));
}

void reject(const Services& services, Target target, Answer<Changed> done) {
  const Target copy = target;
  change(
      services, std::move(target), "reject",
      [services, copy](Draft draft) { return decide_reject(services, copy, std::move(draft)); },
      std::move(done));
}

}  // namespace waybill::job
