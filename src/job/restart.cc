#include "job/restart.h"

#include <algorithm>

#include "job/fields.h"
#include "job/machine.h"

namespace waybill::job {

namespace {

using contract::Field;
using contract::SetRule;

// Whether the record has the field because it came to that state.
bool is_set_by_entering(const Field& field, const std::string& state) {
  return field.optional && field.set && field.set->moment == SetRule::Moment::on_entering &&
         std::ranges::any_of(field.set->states, [&](const auto& name) { return name.text == state; });
}

}  // namespace

bool may_replay(const contract::Record& record, const std::string& state) {
  return record.status && record.work && record.work->replay && begins_at(*record.work->replay, state);
}

void restart(const Subject& subject, Draft& draft) {
  const auto& record = subject.record();
  const auto& work = *record.work;
  const auto& ttl = subject.contract->contract.table.ttl;
  const std::string from = status_of(record, draft);
  for (const auto& field : record.fields) {
    const bool is_ttl = ttl && ttl->text == field.name && field.optional && !field.computed;
    if (is_ttl || is_set_by_entering(field, from)) {
      draft.remove({field.name});
    }
  }
  if (work.attempts && draft.integer(path_of_text(work.attempts->text))) {
    draft.set_integer(path_of_text(work.attempts->text), 0);
  }
  if (work.next_attempt_at) {
    draft.remove(path_of_text(work.next_attempt_at->text));
  }
  reserve(record, draft);
  move_to(record, draft, work.replay->to.text);
}

}  // namespace waybill::job
