#include "event/publisher.h"

#include <chrono>
#include <optional>
#include <utility>

#include "base/check.h"
#include "base/log.h"
#include "base/thread_name.h"

namespace waybill::event {

Publisher::Publisher(Ledger& ledger, Options options) : ledger_(ledger), options_(std::move(options)) {
  thread_ = std::thread([this] { run(); });
}

Publisher::~Publisher() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  options_.target->interrupt();
  thread_.join();
}

void Publisher::wake() {
  {
    const std::lock_guard lock(mutex_);
    woken_ = true;
  }
  changed_.notify_all();
}

void Publisher::begin_again() {
  {
    const std::lock_guard lock(mutex_);
    woken_ = again_ = true;
  }
  changed_.notify_all();
}

bool Publisher::is_stopping() {
  const std::lock_guard lock(mutex_);
  return stopping_;
}

void Publisher::run() {
  name_this_thread("event");
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    woken_ = false;
    const bool again = std::exchange(again_, false);
    lock.unlock();
    if (again) {
      line_.clear();
      place_.clear();
    }
    const bool more = tell_some();
    lock.lock();
    if (!more) {
      changed_.wait_for(lock, std::chrono::milliseconds(options_.look_interval_ms),
                        [this] { return stopping_ || woken_; });
    }
  }
}

// False where there is nothing to do for now.
bool Publisher::tell_some() {
  if (const auto status = look(); !status) {
    complain("can't be read", status.error());
    return false;
  }
  const auto keys = line_.take(options_.clock->steady_ms(), options_.target->batch_max());
  return !keys.empty() && tell(keys);
}

// Brings rows into the line until there is enough to do.
Status Publisher::look() {
  const std::size_t batch = options_.target->batch_max();
  while (line_.wants_more(options_.clock->steady_ms(), batch)) {
    WAYBILL_TRY_ASSIGN(auto stretch, ledger_.pending(place_, batch));
    place_ = std::move(stretch.end);
    for (auto& key : stretch.keys) {
      line_.add(std::move(key));
    }
    if (stretch.keys.size() < batch) {
      return {};
    }
  }
  return {};
}

// Tells what these rows say. False where it is not worth going on at once.
bool Publisher::tell(const std::vector<RowKey>& keys) {
  const auto rows = ledger_.read(keys);
  if (!rows) {
    complain("can't be read", rows.error());
    return false;
  }
  Round round = sort_out(keys, *rows);
  if (!round.events.empty()) {
    auto deliveries = options_.target->deliver(round.events);
    WAYBILL_CHECK(deliveries.size() <= round.events.size());
    for (std::size_t i = 0; i < deliveries.size(); ++i) {
      round.outcomes.push_back({round.keys[i], std::move(deliveries[i])});
    }
  }
  if (is_stopping()) {
    // An attempt that was cut short says nothing of the other side.
    std::erase_if(round.outcomes, [](const auto& each) { return each.delivery.told != Told::taken; });
  }
  return settle(round);
}

Publisher::Round Publisher::sort_out(const std::vector<RowKey>& keys,
                                     const std::vector<std::optional<item::Item>>& rows) const {
  Round round;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (!rows[i] || !rows[i]->view().find("pending") || is_over(read_notes(rows[i]->view()), options_.name)) {
      round.nothing_to_tell.push_back(keys[i]);
    } else if (auto event = read_event(rows[i]->view())) {
      round.events.push_back(*std::move(event));
      round.keys.push_back(keys[i]);
    } else {
      round.outcomes.push_back({keys[i], {Told::refused, event.error().message}});
    }
  }
  return round;
}

bool Publisher::settle(const Round& round) {
  if (const auto status = ledger_.note_audience(round.nothing_to_tell); !status) {
    complain("can't be marked", status.error());
  }
  for (const auto& key : round.nothing_to_tell) {
    line_.dropped(key);
  }
  // The waits begin when the attempt has ended, however long it takes to write that down.
  const int64_t now_ms = options_.clock->steady_ms();
  const auto over = ledger_.note(options_.name, round.outcomes);
  if (!over) {
    complain("can't be marked", over.error());
  }
  const Delivery* failure = nullptr;
  for (std::size_t i = 0; i < round.outcomes.size(); ++i) {
    const auto& outcome = round.outcomes[i];
    if (over && (*over)[i]) {
      line_.over(outcome.key);
    } else {
      line_.failed(outcome.key, now_ms);
      failure = &outcome.delivery;
    }
  }
  line_.end_round(now_ms);
  if (over && failure != nullptr) {
    log_warning("events of " + ledger_.audience().contract + " could not be told to " + options_.name +
                ", and are tried again: " + failure->why);
  }
  return over.has_value();
}

void Publisher::complain(std::string_view what, const Error& error) const {
  log_error("events of " + ledger_.audience().contract + " for " + options_.name + " " + std::string(what) +
            ": " + error.message);
}

}  // namespace waybill::event
