#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "engine/queues/window.h"

namespace waybill::engine::queues {

// A message that somebody has received and not settled yet.
struct Held {
  Entry entry;
  int64_t visible_ms = 0;  // from then on it can be received again
  std::string group;
};

// The messages of one queue that are in flight.
class InFlight {
 public:
  static constexpr int64_t never = std::numeric_limits<int64_t>::max();

  std::size_t size() const { return by_sequence_.size(); }
  bool empty() const { return by_sequence_.empty(); }
  const std::map<uint64_t, Held>& all() const { return by_sequence_; }

  const Held* find(uint64_t sequence) const {
    const auto found = by_sequence_.find(sequence);
    return found == by_sequence_.end() ? nullptr : &found->second;
  }

  void add(Held held) {
    by_time_.emplace(held.visible_ms, held.entry.sequence);
    const uint64_t sequence = held.entry.sequence;
    by_sequence_.emplace(sequence, std::move(held));
  }

  void hide_until(uint64_t sequence, int64_t visible_ms) {
    const auto found = by_sequence_.find(sequence);
    by_time_.erase({found->second.visible_ms, sequence});
    found->second.visible_ms = visible_ms;
    by_time_.emplace(visible_ms, sequence);
  }

  // Its last receive does not count. It must be there.
  void uncount(uint64_t sequence) {
    auto& entry = by_sequence_.find(sequence)->second.entry;
    entry.receive_count -= entry.receive_count > 0 ? 1 : 0;
  }

  // It must be there.
  Held take(uint64_t sequence) {
    auto taken = by_sequence_.extract(sequence);
    by_time_.erase({taken.mapped().visible_ms, sequence});
    return std::move(taken.mapped());
  }

  // When the first of them can be received again.
  int64_t next_ms() const { return by_time_.empty() ? never : by_time_.begin()->first; }
  uint64_t next_sequence() const { return by_time_.begin()->second; }

 private:
  std::map<uint64_t, Held> by_sequence_;
  std::set<std::pair<int64_t, uint64_t>> by_time_;
};

}  // namespace waybill::engine::queues
