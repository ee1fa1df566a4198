#include "engine/item_cache.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

#include "base/check.h"

namespace waybill::engine {
namespace {

// Sweeping a segment keeps its shard waiting: larger ones would be felt, smaller ones hold too few records.
constexpr std::size_t segment_bytes_max = 128UL << 10;
constexpr std::size_t segment_bytes_min = 16UL << 10;
constexpr std::size_t segments_wanted = 8;

std::size_t segment_bytes_for(std::size_t shard_bytes) {
  return std::clamp(std::bit_floor(shard_bytes / segments_wanted), segment_bytes_min, segment_bytes_max);
}

}  // namespace

ItemCache::ItemCache(std::size_t bytes_max)
    : pool_(segment_bytes_for(bytes_max / shard_count)),
      units_per_segment_(pool_.segment_bytes() / place_unit),
      shard_segments_max_(std::max(bytes_max / shard_count / pool_.segment_bytes(), std::size_t{2})) {}

ItemCache::Hash ItemCache::hash_of(std::string_view key) {
  const uint64_t hash = XXH3_64bits(key.data(), key.size());
  return {static_cast<uint32_t>((hash >> 32) % shard_count), static_cast<uint32_t>(hash)};
}

ItemCache::Reference ItemCache::reference_to(std::size_t segment, std::size_t offset) const {
  return static_cast<Reference>(segment * units_per_segment_ + offset / place_unit);
}

ItemCache::Entry& ItemCache::entry_at(const Shard& shard, Reference reference) const {
  // A power of two, which the compiler cannot know.
  const auto shift = std::countr_zero(units_per_segment_);
  char* const data = shard.segments[reference >> shift].data;
  return *std::launder(reinterpret_cast<Entry*>(data + (reference & (units_per_segment_ - 1)) * place_unit));
}

ItemCache::Reference ItemCache::find_in(const Shard& shard, const Hash& hash, std::string_view key) const {
  return shard.references.find(hash.in_shard,
                               [&](Reference reference) { return entry_at(shard, reference).key() == key; });
}

void ItemCache::look_ahead(std::span<const std::string_view> keys) {
  WAYBILL_CHECK(keys.size() <= look_ahead_max);
  std::array<Hash, look_ahead_max> hashes;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    hashes[i] = hash_of(keys[i]);
    shard_of(hashes[i]).references.prefetch(hashes[i].in_shard);
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    Shard& shard = shard_of(hashes[i]);
    const std::lock_guard lock(shard.mutex);
    // Whether the key is the same is not asked: that would wait for the memory.
    shard.references.find(hashes[i].in_shard, [&](Reference reference) {
      constexpr std::size_t line_bytes = 64;
      constexpr std::size_t lines = 4;  // the processor itself sees from these where the reading goes
      const char* const entry = reinterpret_cast<const char*>(&entry_at(shard, reference));
      for (std::size_t line = 0; line < lines; ++line) {
        __builtin_prefetch(entry + line * line_bytes);
      }
      return false;
    });
  }
}

void ItemCache::offer(std::string_view key, std::string_view record, uint64_t sequence) {
  const Hash hash = hash_of(key);
  Shard& shard = shard_of(hash);
  const std::lock_guard lock(shard.mutex);
  if (shard.changing == 0 && shard.last_change <= sequence &&
      find_in(shard, hash, key) == ReferenceTable::none) {
    insert(shard, hash, key, record, sequence);
  }
}

void ItemCache::begin_change(std::string_view key) {
  const Hash hash = hash_of(key);
  Shard& shard = shard_of(hash);
  const std::lock_guard lock(shard.mutex);
  ++shard.changing;
  if (const Reference reference = find_in(shard, hash, key); reference != ReferenceTable::none) {
    entry_at(shard, reference).state = State::changing;
  }
}

void ItemCache::end_change(std::string_view key, std::optional<std::string_view> record, uint64_t sequence) {
  const Hash hash = hash_of(key);
  Shard& shard = shard_of(hash);
  const std::lock_guard lock(shard.mutex);
  --shard.changing;
  WAYBILL_CHECK(shard.changing >= 0);
  shard.last_change = sequence;
  if (const Reference reference = find_in(shard, hash, key); reference != ReferenceTable::none) {
    Entry& entry = entry_at(shard, reference);
    const std::size_t room = entry.record_room();
    if (record && record->size() <= room && record->size() >= room / 2) {
      std::memcpy(entry.data() + entry.key_bytes, record->data(), record->size());
      entry.record_bytes = static_cast<uint16_t>(record->size());
      entry.since = sequence;
      entry.state = State::there;
      return;
    }
    erase(shard, reference);
  }
  if (record) {
    insert(shard, hash, key, *record, sequence);
  }
}

std::size_t ItemCache::size() const {
  std::size_t sum = 0;
  for (const Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    sum += shard.references.size();
  }
  return sum;
}

std::size_t ItemCache::bytes() const {
  std::size_t sum = 0;
  for (const Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    sum += shard.segments.size() * pool_.segment_bytes();
  }
  return sum;
}

void ItemCache::insert(Shard& shard, const Hash& hash, std::string_view key, std::string_view record,
                       uint64_t since) {
  const std::size_t units = (sizeof(Entry) + key.size() + record.size() + place_unit - 1) / place_unit;
  if (units > units_per_segment_ / entries_per_segment_min || !make_room(shard, units * place_unit)) {
    return;
  }
  Segment& segment = shard.segments[shard.filling];
  const Reference reference = reference_to(shard.filling, segment.filled_bytes);
  auto* const entry = new (segment.data + segment.filled_bytes) Entry{since,
                                                                      hash.in_shard,
                                                                      static_cast<uint16_t>(units),
                                                                      static_cast<uint16_t>(key.size()),
                                                                      static_cast<uint16_t>(record.size()),
                                                                      State::there,
                                                                      false};
  std::memcpy(entry->data(), key.data(), key.size());
  std::memcpy(entry->data() + key.size(), record.data(), record.size());
  segment.filled_bytes += entry->place_bytes();
  shard.references.insert(hash.in_shard, reference);
}

void ItemCache::erase(Shard& shard, Reference reference) {
  Entry& entry = entry_at(shard, reference);
  entry.state = State::dead;
  shard.references.erase(entry.hash, reference);
  shard.segments[reference / units_per_segment_].dead_bytes += entry.place_bytes();
  shard.dead_bytes += entry.place_bytes();
}

// Whether the segment that is being filled has so many bytes left; makes another one that.
bool ItemCache::make_room(Shard& shard, std::size_t bytes) {
  auto& segments = shard.segments;
  if (!segments.empty() && segments[shard.filling].filled_bytes + bytes <= pool_.segment_bytes()) {
    return true;
  }
  // Where a quarter is dead, there is a segment of which a quarter or more is.
  if (shard.dead_bytes > segments.size() * room_after_sweep()) {
    const auto most = std::ranges::max_element(segments, {}, &Segment::dead_bytes);
    sweep(shard, static_cast<std::size_t>(most - segments.begin()), Keep::all);
    return true;
  }
  if (segments.size() < shard_segments_max_ && add_segment(shard)) {
    return true;
  }
  if (segments.empty()) {
    return false;
  }
  // Where all is in use, something in use has to go.
  constexpr int tries = 4;
  for (int i = 1; i < tries; ++i) {
    shard.hand = (shard.hand + 1) % segments.size();
    if (sweep_unused(shard, shard.hand)) {
      return true;
    }
  }
  shard.hand = (shard.hand + 1) % segments.size();
  sweep(shard, shard.hand, Keep::none);
  return true;
}

bool ItemCache::add_segment(Shard& shard) {
  char* const data = pool_.take();
  if (data == nullptr) {
    return false;
  }
  shard.filling = shard.segments.size();
  shard.segments.push_back({data});
  return true;
}

// Calls visit(entry, offset) for all entries of a segment, in order; it may move the entry towards the front.
template <typename Visit>
void ItemCache::for_each_entry(Shard& shard, std::size_t segment, Visit visit) {
  const std::size_t end = shard.segments[segment].filled_bytes;
  for (std::size_t offset = 0; offset < end;) {
    Entry& entry = entry_at(shard, reference_to(segment, offset));
    const std::size_t bytes = entry.place_bytes();
    visit(entry, offset);
    offset += bytes;
  }
}

// Takes out what was not used since the hand came by. Where that would leave too little room, nothing goes;
// all that is here then has until the next time to be used again.
bool ItemCache::sweep_unused(Shard& shard, std::size_t at) {
  std::size_t used_bytes = 0;
  for_each_entry(shard, at, [&](Entry& entry, std::size_t) {
    const bool stays = entry.state != State::dead && entry.used;
    used_bytes += stays ? entry.place_bytes() : 0;
  });
  if (used_bytes + room_after_sweep() <= pool_.segment_bytes()) {
    sweep(shard, at, Keep::used);
    return true;
  }
  for_each_entry(shard, at, [](Entry& entry, std::size_t) { entry.used = false; });
  return false;
}

// Moves what is kept to the front; behind it the segment is filled again.
void ItemCache::sweep(Shard& shard, std::size_t at, Keep keep) {
  Segment& segment = shard.segments[at];
  std::size_t to = 0;
  for_each_entry(shard, at, [&](Entry& entry, std::size_t from) {
    const std::size_t bytes = entry.place_bytes();
    const bool alive = entry.state != State::dead;
    if (alive && (keep == Keep::all || (keep == Keep::used && entry.used))) {
      entry.used = entry.used && keep == Keep::all;
      if (to != from) {
        shard.references.replace(entry.hash, reference_to(at, from), reference_to(at, to));
        std::memmove(segment.data + to, segment.data + from, bytes);
      }
      to += bytes;
    } else if (alive) {
      shard.references.erase(entry.hash, reference_to(at, from));
    }
  });
  shard.dead_bytes -= segment.dead_bytes;
  segment.dead_bytes = 0;
  segment.filled_bytes = to;
  shard.filling = at;
}

}  // namespace waybill::engine
