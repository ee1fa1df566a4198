#include "alarm/alarms.h"

#include <chrono>
#include <future>
#include <utility>

#include "base/check.h"
#include "base/log.h"
#include "base/thread_name.h"

namespace waybill::alarm {

Alarms::Alarms(store::Store& store, const Options& options)
    : store_(store), options_(options), ledger_(store) {}

Result<std::unique_ptr<Alarms>> Alarms::open(store::Store& store, const Options& options,
                                             std::unique_ptr<Poster> poster) {
  WAYBILL_CHECK(store.queues() != nullptr);
  std::unique_ptr<Alarms> alarms(new Alarms(store, options));
  auto& self = *alarms;
  WAYBILL_TRY(self.ledger_.load());
  self.state_ = self.ledger_.raised();
  if (poster != nullptr) {
    self.sender_ = std::make_unique<Sender>(self.ledger_, *options.clock, std::move(poster));
  }
  self.thread_ = std::thread([&self] { self.run(); });
  return alarms;
}

Alarms::~Alarms() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) {
    thread_.join();
  }
}

std::vector<Subject> Alarms::raised() const {
  std::vector<Subject> subjects;
  for (const auto& [subject, alarm] : ledger_.raised()) {
    subjects.push_back(subject);
  }
  return subjects;
}

std::size_t Alarms::untold() const {
  return sender_ == nullptr ? 0 : sender_->waiting();
}

void Alarms::run() {
  name_this_thread("alarm");
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    lock.unlock();
    look();
    lock.lock();
    changed_.wait_for(lock, std::chrono::milliseconds(options_.look_interval_ms),
                      [this] { return stopping_; });
  }
}

// Asks the store for counts only where somebody wants to know.
void Alarms::look() {
  const auto queues = store_.queues()->all();
  std::vector<Look> looks;
  if (has_thresholds(queues, options_.defaults)) {
    looks = look_at(queues, stats(), options_.defaults, options_.clock->wall_ms());
  }
  auto decision = decide(std::move(state_), looks);
  state_ = std::move(decision.state);
  turn(decision.changes);
}

std::vector<store::QueueStats> Alarms::stats() const {
  auto promise = std::make_shared<std::promise<std::vector<store::QueueStats>>>();
  auto seen = promise->get_future();
  store_.queues()->stats(
      "", [promise](std::vector<store::QueueStats> stats) { promise->set_value(std::move(stats)); });
  return seen.get();
}

void Alarms::turn(const std::vector<Change>& changes) {
  if (changes.empty()) {
    return;
  }
  constexpr std::size_t time_digits = 14;
  const int64_t now_ms = options_.clock->wall_ms();
  std::vector<Notice> notices;
  for (const auto& change : changes) {
    notices.push_back({make_dated_id(now_ms, time_digits, *options_.entropy), change, now_ms});
    log_warning(describe(notices.back()));
  }
  if (const auto status = ledger_.turn(notices, sender_ != nullptr); !status) {
    log_error("alarms could not be kept: " + status.error().message);
  }
  if (sender_ != nullptr) {
    sender_->tell(notices);
  }
}

}  // namespace waybill::alarm
