#include "depot/shared_state.h"

#include <limits>
#include <utility>

#include "base/check.h"

namespace waybill::depot {

object::ContentId SharedState::make_id() {
  auto id = object::ContentId::parse(ids_.make(clock_.wall_ms()));
  WAYBILL_CHECK(id.has_value());
  return *std::move(id);
}

object::ContentId SharedState::begin_id() {
  auto id = make_id();
  const std::lock_guard lock(mutex_);
  being_made_.insert(id);
  return id;
}

void SharedState::published(const object::ContentId& id) {
  const int64_t now_ms = clock_.wall_ms();
  const std::lock_guard lock(mutex_);
  published_ms_[id] = now_ms;
}

void SharedState::ended(const object::ContentId& id) {
  const std::lock_guard lock(mutex_);
  being_made_.erase(id);
}

int64_t SharedState::published_ms(const object::ContentId& id) const {
  const std::lock_guard lock(mutex_);
  if (being_made_.contains(id)) {
    return std::numeric_limits<int64_t>::max();
  }
  const auto found = published_ms_.find(id);
  return found == published_ms_.end() ? id.committed_ms() : found->second;
}

void SharedState::forget_published(int64_t older_than_ms) {
  const std::lock_guard lock(mutex_);
  std::erase_if(published_ms_, [&](const auto& entry) { return entry.second < older_than_ms; });
}

bool SharedState::is_being_made(const object::ContentId& id) const {
  const std::lock_guard lock(mutex_);
  return being_made_.contains(id);
}

void SharedState::opened(const object::ContentId& id) {
  const std::lock_guard lock(mutex_);
  ++open_[id];
}

void SharedState::closed(const object::ContentId& id) {
  const std::lock_guard lock(mutex_);
  if (--open_[id] > 0) {
    return;
  }
  open_.erase(id);
  if (to_remove_.erase(id) > 0) {
    removable_.push_back(id);
    has_removable_.notify_one();
  }
}

bool SharedState::may_remove(const object::ContentId& id) {
  const std::lock_guard lock(mutex_);
  if (!open_.contains(id)) {
    return true;
  }
  to_remove_.insert(id);
  return false;
}

std::vector<object::ContentId> SharedState::wait_removable(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  has_removable_.wait(lock, stop, [this] { return !removable_.empty(); });
  return std::exchange(removable_, {});
}

}  // namespace waybill::depot
