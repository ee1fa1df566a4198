#include "alarm/sender.h"

#include <chrono>
#include <utility>

#include "base/backoff.h"
#include "base/log.h"
#include "base/thread_name.h"

namespace waybill::alarm {
namespace {

constexpr int64_t patience_ms = int64_t{24} * 60 * 60 * 1000;

}  // namespace

Sender::Sender(Ledger& ledger, const Clock& clock, std::unique_ptr<Poster> poster)
    : ledger_(ledger), clock_(clock), poster_(std::move(poster)) {
  tell(ledger_.untold());
  thread_ = std::thread([this] { run(); });
}

Sender::~Sender() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  poster_->interrupt();
  thread_.join();
}

void Sender::tell(const std::vector<Notice>& notices) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.insert(waiting_.end(), notices.begin(), notices.end());
  }
  changed_.notify_all();
}

std::size_t Sender::waiting() const {
  const std::lock_guard lock(mutex_);
  return waiting_.size();
}

void Sender::run() {
  name_this_thread("alarm-sender");
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (waiting_.empty()) {
      changed_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
      continue;
    }
    const Notice notice = waiting_.front();
    lock.unlock();
    const bool over = is_over(notice);
    lock.lock();
    if (over) {
      waiting_.pop_front();
    } else {
      changed_.wait_for(lock, std::chrono::milliseconds(retry_ms_after(failures_)),
                        [this] { return stopping_; });
    }
  }
}

// Tries to tell one notice. False where it is to be tried again.
bool Sender::is_over(const Notice& notice) {
  const auto outcome = poster_->post(notice);
  if (outcome.posted == Posted::failed) {
    ++failures_;
    if (clock_.wall_ms() - notice.time_ms < patience_ms) {
      log_warning(describe(notice) + ": could not be told, and is tried again: " + outcome.detail);
      return false;
    }
    log_error(describe(notice) + ": could not be told for a day, and is given up: " + outcome.detail);
  } else {
    failures_ = 0;
    if (outcome.posted == Posted::refused) {
      log_error(describe(notice) + ": was refused: " + outcome.detail);
    }
  }
  if (const auto status = ledger_.told(notice); !status) {
    log_error(describe(notice) + ": that it was told could not be kept: " + status.error().message);
  }
  return true;
}

}  // namespace waybill::alarm
