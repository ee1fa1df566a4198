#include "worker/heart.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/log.h"
#include "base/thread_name.h"

namespace waybill::worker {
namespace {

constexpr int64_t answer_ms_max = 5'000;

// When to beat again after one that was not heard.
int64_t again_ms(int64_t lease_ms) {
  return std::min<int64_t>(lease_ms / 6, 1'000);
}

// A lease begins at the server a little before its answer is here.
int64_t margin_ms(int64_t lease_ms) {
  return std::min<int64_t>(lease_ms / 5, 1'000);
}

}  // namespace

Heart::Heart(const Options& options, client::JobsClient client)
    : options_(options), client_(std::move(client)) {
  thread_ = std::thread([this] {
    name_this_thread("heart");
    beat();
  });
}

Result<std::unique_ptr<Heart>> Heart::start(const Options& options) {
  const int64_t answer_ms = std::min(answer_ms_max, options.lease_s * 1000 / 2);
  WAYBILL_TRY_ASSIGN(auto client, client::JobsClient::open(options.connection, answer_ms));
  return std::unique_ptr<Heart>(new Heart(options, std::move(client)));
}

Heart::~Heart() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  ends_.request_stop();
  changed_.notify_all();
  thread_.join();
}

HoldPtr Heart::take(std::shared_ptr<const client::Job> job, int64_t claimed_ms) {
  const int64_t lease_ms = options_.lease_s * 1000;
  auto hold = std::make_shared<Hold>(std::move(job), claimed_ms + lease_ms - margin_ms(lease_ms));
  hold->beat_ms_ = claimed_ms + lease_ms / 3;
  {
    const std::lock_guard lock(mutex_);
    holds_.push_back(hold);
    if (stops_all_) {
      hold->request_stop();
    }
  }
  changed_.notify_all();
  return hold;
}

Heart::Released Heart::release(const HoldPtr& hold) {
  const std::lock_guard lock(mutex_);
  std::erase(holds_, hold);
  const int64_t left_ms = hold->until_ms_ - options_.connection.clock->steady_ms();
  return {hold->is_lost_ || left_ms <= 0, std::max<int64_t>(left_ms, 0)};
}

void Heart::stop_all() {
  const std::lock_guard lock(mutex_);
  stops_all_ = true;
  for (const auto& hold : holds_) {
    hold->request_stop();
  }
}

// The one whose turn is first, once it has come; null where all ends.
HoldPtr Heart::wait_for_next(std::unique_lock<std::mutex>& lock) {
  for (;;) {
    if (ending_) {
      return nullptr;
    }
    const auto next = std::ranges::min_element(holds_, {}, [](const auto& hold) { return hold->beat_ms_; });
    if (next == holds_.end()) {
      changed_.wait(lock);
      continue;
    }
    const int64_t wait_ms = (*next)->beat_ms_ - options_.connection.clock->steady_ms();
    if (wait_ms <= 0) {
      return *next;
    }
    changed_.wait_for(lock, std::chrono::milliseconds(wait_ms));
  }
}

void Heart::beat() {
  std::unique_lock lock(mutex_);
  while (const auto hold = wait_for_next(lock)) {
    lock.unlock();
    prolong(hold);
    lock.lock();
  }
}

void Heart::prolong(const HoldPtr& hold) {
  const auto& clock = *options_.connection.clock;
  const int64_t lease_ms = options_.lease_s * 1000;
  const int64_t begun_ms = clock.steady_ms();
  const auto beaten = client_.heartbeat(*hold->job_, options_.lease_s, {.stop = ends_.get_token()});
  const std::lock_guard lock(mutex_);
  if (beaten) {
    hold->until_ms_ = begun_ms + lease_ms;
    hold->beat_ms_ = begun_ms + lease_ms / 3;
    return;
  }
  hold->beat_ms_ = std::min(clock.steady_ms() + again_ms(lease_ms), std::max(hold->until_ms_, begun_ms + 1));
  const bool may_pass = beaten.error().kind == ErrorKind::unavailable;
  if (may_pass && clock.steady_ms() < hold->until_ms_) {
    return;
  }
  // It may have been released meanwhile, by its end.
  if (std::erase(holds_, hold) > 0) {
    hold->is_lost_ = true;
    hold->request_stop();
  }
}

}  // namespace waybill::worker
