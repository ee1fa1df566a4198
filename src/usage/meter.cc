#include "usage/meter.h"

#include <algorithm>
#include <atomic>
#include <limits>

namespace waybill::usage {
namespace {

constexpr std::size_t slots_min = 16;
constexpr int64_t second_ms = 1000;

std::size_t number_of_this_thread() {
  static std::atomic<std::size_t> threads{0};
  thread_local const std::size_t number = threads.fetch_add(1, std::memory_order_relaxed);
  return number;
}

std::size_t home_of(table::SpaceId space, std::size_t slots) {
  constexpr uint32_t golden = 0x9e3779b1;
  return (space * golden >> 8) & (slots - 1);
}

}  // namespace

void Meter::add(std::span<const Use> uses) {
  Shard& shard = shards_[number_of_this_thread() % shard_count];
  const std::lock_guard lock(shard.mutex);
  const int64_t second = clock_.wall_ms() / second_ms;
  if (second != shard.second) {
    hand_over(shard);
    shard.second = second;
  }
  for (const auto& use : uses) {
    Slot& slot = slot_of(shard, use.space);
    Counts& counts = use.kind == Kind::read ? slot.reads : slot.writes;
    counts.half_units += use.half_units;
    ++counts.requests;
  }
}

Meter::Slot& Meter::slot_of(Shard& shard, table::SpaceId space) {
  if (shard.used * 2 >= shard.slots.size()) {
    grow(shard);
  }
  const std::size_t last = shard.slots.size() - 1;
  for (std::size_t at = home_of(space, shard.slots.size());; at = (at + 1) & last) {
    Slot& slot = shard.slots[at];
    if (slot.space == space) {
      return slot;
    }
    if (slot.space == 0) {
      slot.space = space;
      ++shard.used;
      return slot;
    }
  }
}

void Meter::grow(Shard& shard) {
  std::vector<Slot> old(std::max(shard.slots.size() * 2, slots_min));
  old.swap(shard.slots);
  const std::size_t last = shard.slots.size() - 1;
  for (const auto& slot : old) {
    if (slot.space != 0) {
      std::size_t at = home_of(slot.space, shard.slots.size());
      while (shard.slots[at].space != 0) {
        at = (at + 1) & last;
      }
      shard.slots[at] = slot;
    }
  }
}

void Meter::add_second(OpenLoad& open, std::size_t second, const Counts& counts) {
  open.total.half_units += counts.half_units;
  open.total.requests += counts.requests;
  open.half_units_by_second[second] += counts.half_units;
}

// The shard is locked by the caller.
void Meter::hand_over(Shard& shard) {
  if (shard.used == 0) {
    return;
  }
  const int64_t minute = shard.second / static_cast<int64_t>(seconds_a_minute);
  const auto second = static_cast<std::size_t>(shard.second) % seconds_a_minute;
  const std::lock_guard lock(mutex_);
  for (auto& slot : shard.slots) {
    if (slot.space != 0) {
      OpenMinute& open = open_[{minute, slot.space}];
      add_second(open.reads, second, slot.reads);
      add_second(open.writes, second, slot.writes);
      slot = Slot();
    }
  }
  shard.used = 0;
}

Load Meter::load_of(const OpenLoad& open) {
  return {open.total.half_units, open.total.requests, std::ranges::max(open.half_units_by_second)};
}

std::vector<SpaceMinute> Meter::take_before(int64_t minute) {
  for (auto& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    if (shard.second / static_cast<int64_t>(seconds_a_minute) < minute) {
      hand_over(shard);
    }
  }
  std::vector<SpaceMinute> taken;
  const std::lock_guard lock(mutex_);
  const auto end = open_.lower_bound({minute, 0});
  for (auto at = open_.begin(); at != end; at = open_.erase(at)) {
    const auto& [key, open] = *at;
    taken.push_back({key.second, key.first, {load_of(open.reads), load_of(open.writes)}});
  }
  return taken;
}

std::vector<SpaceMinute> Meter::take_finished() {
  return take_before(clock_.wall_ms() / minute_ms);
}

std::vector<SpaceMinute> Meter::take_all() {
  return take_before(std::numeric_limits<int64_t>::max());
}

}  // namespace waybill::usage
