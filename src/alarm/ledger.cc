#include "alarm/ledger.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/log.h"

namespace waybill::alarm {
namespace {

// Of one alarm. A webhook that is away for a day must not make a note that grows for a day.
constexpr std::size_t untold_max = 1'000;

Status wait_for(std::vector<std::future<Status>>& saved) {
  Status outcome;
  for (auto& each : saved) {
    if (auto status = each.get(); !status) {
      outcome = std::move(status);
    }
  }
  return outcome;
}

}  // namespace

Status Ledger::load() {
  WAYBILL_TRY_ASSIGN(const auto notes, store_.notes(alarm_notes));
  const std::lock_guard lock(mutex_);
  for (const auto& note : notes) {
    WAYBILL_TRY_ASSIGN(auto record, read_record(note));
    records_.insert_or_assign(record.subject, record);
  }
  return {};
}

State Ledger::raised() const {
  const std::lock_guard lock(mutex_);
  State state;
  for (const auto& [subject, record] : records_) {
    if (record.raised) {
      state.emplace(subject, Alarm{true, record.threshold, 0});
    }
  }
  return state;
}

std::vector<Notice> Ledger::untold() const {
  std::vector<Notice> notices;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [subject, record] : records_) {
      notices.insert(notices.end(), record.untold.begin(), record.untold.end());
    }
  }
  std::sort(notices.begin(), notices.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  return notices;
}

Status Ledger::turn(const std::vector<Notice>& notices, bool to_be_told) {
  Saved saved;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& notice : notices) {
      const Change& change = notice.change;
      Record& record = records_[change.subject];
      record.subject = change.subject;
      record.raised = change.raised;
      record.threshold = change.threshold;
      if (to_be_told) {
        record.untold.push_back(notice);
      }
      if (record.untold.size() > untold_max) {
        log_error(describe(record.untold.front()) + ": nobody was told, as too much else is to be told");
        record.untold.erase(record.untold.begin());
      }
      save(change.subject, saved);
    }
  }
  return wait_for(saved);
}

Status Ledger::told(const Notice& notice) {
  Saved saved;
  {
    const std::lock_guard lock(mutex_);
    const auto found = records_.find(notice.change.subject);
    if (found == records_.end()) {
      return {};
    }
    std::erase_if(found->second.untold, [&](const auto& each) { return each.id == notice.id; });
    save(notice.change.subject, saved);
  }
  return wait_for(saved);
}

// Under the lock, so that what is written last is what is true.
void Ledger::save(const Subject& subject, Saved& saved) {
  auto promise = std::make_shared<std::promise<Status>>();
  saved.push_back(promise->get_future());
  auto done = [promise](Status status) { promise->set_value(std::move(status)); };
  const Record& record = records_[subject];
  if (record.is_needed()) {
    store_.put_note(note_of(record), std::move(done));
  } else {
    store_.forget_note(note_name(subject), std::move(done));
    records_.erase(subject);
  }
}

}  // namespace waybill::alarm
