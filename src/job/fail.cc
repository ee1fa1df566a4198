#include "job/fail.h"

#include <memory>
#include <utility>

#include "job/actions.h"
#include "job/change.h"
#include "job/decide_claim.h"
#include "job/decide_failure.h"
#include "job/envelope.h"
#include "job/fields.h"
#include "job/lease.h"
#include "job/machine.h"
#include "job/step_record.h"

namespace waybill::job {

namespace {

using contract::Record;

// What the caller is told besides the record.
struct Told {
  bool gave_up = false;
  int64_t retry_at_ms = 0;
};

Status check_fail(const Services& services, const Subject& subject) {
  WAYBILL_TRY(check_work(services, subject));
  if (!subject.record().work->fail) {
    return Error{ErrorKind::unsupported, "A " + subject.record().name + " cannot fail by its contract", {}};
  }
  return {};
}

// Attempts by the contract's own count where it has one, else by the message's receives.
Failure failure_of(const Record& record, Draft& draft, const Held& held, bool may_try_again) {
  const auto counted = attempts_of(record, draft);
  return {counted ? *counted + 1 : held.receives, attempts_limit(record, draft), held.receives,
          may_try_again};
}

// The move, and what is kept of the failure.
void note(const Record& record, Draft& draft, const FailRequest& request, const Failure& failure,
          const Fate& fate) {
  draft.merge(request.patch);
  if (fate.gives_up) {
    end_at(record, draft, fate.to);
  } else {
    move_to(record, draft, fate.to);
  }
  set_trouble(record, draft,
              {request.code.empty() ? "FAILED" : request.code, request.message, request.stack});
  if (record.work->attempts) {
    draft.set_integer(path_of_text(record.work->attempts->text), failure.attempts);
  }
}

Plan given_up(const Subject& subject, const Held& held, const Fate& fate, Draft draft) {
  Plan plan{std::move(draft), {settle(subject.kind->queue, held.receipt)}};
  if (fate.dead_letter && !subject.kind->dead_letters.empty()) {
    plan.with.push_back(
        send(subject.kind->dead_letters, dead_letter_of(subject, held.message, held.receives)));
  }
  return plan;
}

Plan put_off(const Subject& subject, const Held& held, const Fate& fate, Draft draft, int64_t now_ms) {
  const Record& record = subject.record();
  if (record.work->next_attempt_at) {
    set_time(record, draft, path_of_text(record.work->next_attempt_at->text), now_ms + fate.wait_s * 1000);
  }
  return Plan{std::move(draft), {settle(subject.kind->queue, held.receipt, fate.wait_s * 1000)}};
}

Result<Plan> decide(const Services& services, const FailRequest& request, Draft draft, Told& told) {
  const Subject& subject = request.target.subject;
  const Record& record = subject.record();
  WAYBILL_TRY(check_fail(services, subject));
  const std::string status = status_of(record, draft);
  if (!is_working(record, status)) {
    return wrong_state(subject, "fail", status);
  }
  WAYBILL_TRY_ASSIGN(const auto held, find_held(services, subject, draft.seen().view(), request.lease));
  const Failure failure = failure_of(record, draft, held, request.retry);
  const Fate fate = decide_failure(record, failure);
  const auto states = way(*record.status, status, fate.to);
  if (states.empty()) {
    return wrong_state(subject, "go to " + fate.to, status);
  }
  // A state that lies between is passed through by a move of its own.
  if (states.size() > 1) {
    move_to(record, draft, states.front());
    return Plan{std::move(draft), {hold(subject.kind->queue, held.receipt)}, false, false, true};
  }
  note(record, draft, request, failure, fate);
  const int64_t now_ms = services.clock.wall_ms();
  told = {fate.gives_up, fate.gives_up ? 0 : now_ms + fate.wait_s * 1000};
  if (!fate.gives_up) {
    return put_off(subject, held, fate, std::move(draft), now_ms);
  }
  WAYBILL_TRY_ASSIGN(auto step, close_step(services, subject, draft, fate.to));
  auto plan = given_up(subject, held, fate, std::move(draft));
  if (step) {
    plan.with.push_back(*std::move(step));
  }
  return plan;
}

}  // namespace

void fail(const Services& services, FailRequest request, Answer<Failed> done) {
  Target target = request.target;
  auto told = std::make_shared<Told>();
  change(
      services, std::move(target), "fail",
      [services, told, request = std::move(request)](Draft draft) {
        return decide(services, request, std::move(draft), *told);
      },
      [told, done = std::move(done)](Result<Changed> changed) mutable {
        if (changed) {
          done(Failed{std::move(changed->record), told->gave_up, told->retry_at_ms});
        } else {
          done(std::move(changed).error());
        }
      });
}

}  // namespace waybill::job
