#include "event/line.h"

#include <algorithm>
#include <utility>

#include "base/backoff.h"
#include "base/check.h"

namespace waybill::event {

void Line::add(RowKey key) {
  const auto [place, is_new] = records_.try_emplace(std::move(key.record));
  if (is_new) {
    place->second.arrival = ++arrivals_;
  }
  place->second.rows.push_back(std::move(key.seq));
  ++rows_;
}

std::vector<RowKey> Line::take(int64_t now_ms, std::size_t count_max) const {
  if (now_ms < paused_until_ms_) {
    return {};
  }
  std::vector<const Records::value_type*> fresh;
  std::vector<const Records::value_type*> failed;
  for (const auto& each : records_) {
    if (each.second.due_ms <= now_ms) {
      (each.second.failures == 0 ? fresh : failed).push_back(&each);
    }
  }
  std::ranges::sort(fresh, {}, [](const auto* each) { return each->second.arrival; });
  std::ranges::sort(failed, {}, [](const auto* each) { return each->second.due_ms; });
  const std::size_t end = most(count_max);
  std::vector<RowKey> taken;
  for (std::size_t i = 0; taken.size() < end && i < std::max(fresh.size(), failed.size()); ++i) {
    for (const auto* list : {&fresh, &failed}) {
      if (i < list->size() && taken.size() < end) {
        taken.push_back({(*list)[i]->first, (*list)[i]->second.rows.front()});
      }
    }
  }
  return taken;
}

std::size_t Line::most(std::size_t count_max) const {
  return troubles_ > 0 ? std::min(tried_in_trouble, count_max) : count_max;
}

bool Line::wants_more(int64_t now_ms, std::size_t count_max) const {
  return rows_ < rows_max && now_ms >= paused_until_ms_ && take(now_ms, count_max).size() < most(count_max);
}

void Line::over(const RowKey& key) {
  any_over_ = true;
  dropped(key);
}

void Line::dropped(const RowKey& key) {
  const auto found = records_.find(key.record);
  WAYBILL_CHECK(found != records_.end() && found->second.rows.front() == key.seq);
  Record& record = found->second;
  record.rows.pop_front();
  --rows_;
  if (record.rows.empty()) {
    records_.erase(found);
    return;
  }
  record.failures = 0;
  record.due_ms = 0;
  record.arrival = ++arrivals_;
}

void Line::failed(const RowKey& key, int64_t now_ms) {
  const auto found = records_.find(key.record);
  WAYBILL_CHECK(found != records_.end() && found->second.rows.front() == key.seq);
  any_failed_ = true;
  any_new_failed_ = any_new_failed_ || found->second.failures == 0;
  ++found->second.failures;
  found->second.due_ms = now_ms + retry_ms_after(found->second.failures);
}

void Line::end_round(int64_t now_ms) {
  if (any_over_) {
    troubles_ = 0;
    paused_until_ms_ = 0;
  } else if (any_new_failed_ || (any_failed_ && troubles_ > 0)) {
    ++troubles_;
    paused_until_ms_ = now_ms + retry_ms_after(troubles_);
  }
  any_over_ = any_failed_ = any_new_failed_ = false;
}

void Line::clear() {
  *this = Line();
}

}  // namespace waybill::event
