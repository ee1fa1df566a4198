#include "job/give_up.h"

#include <utility>

#include "job/decide_failure.h"
#include "job/fields.h"
#include "job/machine.h"
#include "job/step_record.h"

namespace waybill::job {

std::optional<GiveUpMove> towards_giving_up(const Subject& subject, Draft draft) {
  const auto& record = subject.record();
  if (!record.status || !record.work || !record.work->fail) {
    return {};
  }
  const std::string status = status_of(record, draft);
  const auto states = way(*record.status, status, give_up_state(*record.work));
  if (states.empty()) {
    return {};
  }
  if (states.size() > 1) {
    move_to(record, draft, states.front());
    return GiveUpMove{std::move(draft), false};
  }
  end_at(record, draft, states.front());
  return GiveUpMove{std::move(draft), true};
}

std::vector<store::Action> with_last_move(const Services& services, const Subject& subject, Draft& draft) {
  std::vector<store::Action> actions;
  auto step = close_step(services, subject, draft, give_up_state(*subject.record().work));
  if (step && *step) {
    actions.push_back(**std::move(step));
  }
  return actions;
}

}  // namespace waybill::job
