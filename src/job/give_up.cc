#include "job/give_up.h"

#include <utility>

#include "job/decide_failure.h"
#include "job/fields.h"
#include "job/machine.h"

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

}  // namespace waybill::job
