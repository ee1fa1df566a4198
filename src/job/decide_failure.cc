#include "job/decide_failure.h"

#include <algorithm>

#include "job/machine.h"

namespace waybill::job {

int64_t backoff_s(const contract::Work& work, int64_t attempts) {
  if (work.backoff_s.empty()) {
    return 0;
  }
  const auto last = static_cast<int64_t>(work.backoff_s.size()) - 1;
  return work.backoff_s[static_cast<std::size_t>(std::clamp<int64_t>(attempts - 1, 0, last))];
}

std::string give_up_state(const contract::Work& work) {
  return work.give_up ? work.give_up->to.text : work.fail->to.text;
}

// Where the machine has no way back from a failure, failing is an end of its own, and its message is done
// with unless the contract says otherwise.
Fate decide_failure(const contract::Record& record, const Failure& failure) {
  const auto& work = *record.work;
  const bool is_retryable = may_retry(record);
  const bool is_used_up =
      failure.limit > 0 ? failure.attempts >= failure.limit : failure.receives >= work.queue.receives_max;
  Fate fate;
  fate.gives_up = !failure.may_try_again || !is_retryable || is_used_up;
  fate.to = fate.gives_up ? give_up_state(work) : work.fail->to.text;
  fate.dead_letter = fate.gives_up && (is_retryable || work.give_up || work.fail->dead_letter);
  fate.wait_s = fate.gives_up ? 0 : backoff_s(work, failure.attempts);
  return fate;
}

}  // namespace waybill::job
