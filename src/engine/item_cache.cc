#include "engine/item_cache.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstring>
#include <new>

#include "base/check.h"

namespace waybill::engine {
namespace {

constexpr std::size_t record_bytes_max = 64UL * 1024;  // larger ones would push out too many others
constexpr std::size_t buckets_first = 16;

}  // namespace

ItemCache::~ItemCache() {
  for (Shard& shard : shards_) {
    for (Entry* entry : shard.clock) {
      ::operator delete(entry);
    }
  }
}

uint32_t ItemCache::hash_of(std::string_view key) {
  return static_cast<uint32_t>(XXH3_64bits(key.data(), key.size()));
}

// The low bits chose the shard.
ItemCache::Entry** ItemCache::bucket_of(Shard& shard, uint32_t hash) {
  return &shard.buckets[(hash / shard_count) & (shard.buckets.size() - 1)];
}

ItemCache::Entry* ItemCache::find_in(Shard& shard, uint32_t hash, std::string_view key) {
  if (shard.buckets.empty()) {
    return nullptr;
  }
  Entry* entry = *bucket_of(shard, hash);
  while (entry != nullptr && (entry->hash != hash || entry->key() != key)) {
    entry = entry->next;
  }
  return entry;
}

void ItemCache::offer(std::string_view key, std::string_view record, uint64_t sequence) {
  const uint32_t hash = hash_of(key);
  Shard& shard = shard_of(hash);
  const std::lock_guard lock(shard.mutex);
  if (shard.changing == 0 && shard.last_change <= sequence && find_in(shard, hash, key) == nullptr) {
    insert(shard, hash, key, record, sequence);
  }
}

void ItemCache::begin_change(std::string_view key) {
  const uint32_t hash = hash_of(key);
  Shard& shard = shard_of(hash);
  const std::lock_guard lock(shard.mutex);
  ++shard.changing;
  erase(shard, hash, key);
}

void ItemCache::end_change(std::string_view key, std::optional<std::string_view> record, uint64_t sequence) {
  const uint32_t hash = hash_of(key);
  Shard& shard = shard_of(hash);
  const std::lock_guard lock(shard.mutex);
  --shard.changing;
  WAYBILL_CHECK(shard.changing >= 0);
  shard.last_change = sequence;
  if (record) {
    insert(shard, hash, key, *record, sequence);
  }
}

std::size_t ItemCache::bytes() const {
  std::size_t sum = 0;
  for (const Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    sum += shard.bytes;
  }
  return sum;
}

void ItemCache::insert(Shard& shard, uint32_t hash, std::string_view key, std::string_view record,
                       uint64_t since) {
  if (record.size() > record_bytes_max) {
    return;
  }
  if (shard.clock.size() >= shard.buckets.size()) {
    grow(shard);
  }
  const std::size_t bytes = sizeof(Entry) + key.size() + record.size();
  Entry** const bucket = bucket_of(shard, hash);
  auto* const entry = new (::operator new(bytes)) Entry{*bucket,
                                                        since,
                                                        hash,
                                                        static_cast<uint32_t>(key.size()),
                                                        static_cast<uint32_t>(record.size()),
                                                        static_cast<uint32_t>(shard.clock.size()),
                                                        false};
  auto* const data = reinterpret_cast<char*>(entry + 1);
  std::memcpy(data, key.data(), key.size());
  std::memcpy(data + key.size(), record.data(), record.size());
  *bucket = entry;
  shard.clock.push_back(entry);
  shard.bytes += bytes;
  make_room(shard);
}

void ItemCache::erase(Shard& shard, uint32_t hash, std::string_view key) {
  if (Entry* const entry = find_in(shard, hash, key)) {
    remove(shard, entry);
  }
}

void ItemCache::remove(Shard& shard, Entry* entry) {
  Entry** link = bucket_of(shard, entry->hash);
  while (*link != entry) {
    link = &(*link)->next;
  }
  *link = entry->next;
  Entry* const last = shard.clock.back();
  shard.clock[entry->place] = last;
  last->place = entry->place;
  shard.clock.pop_back();
  shard.bytes -= entry->size();
  ::operator delete(entry);
}

void ItemCache::grow(Shard& shard) {
  shard.buckets.assign(shard.buckets.empty() ? buckets_first : shard.buckets.size() * 2, nullptr);
  for (Entry* entry : shard.clock) {
    Entry** const bucket = bucket_of(shard, entry->hash);
    entry->next = *bucket;
    *bucket = entry;
  }
}

// An entry that was used since the hand last passed stays for another round.
void ItemCache::make_room(Shard& shard) const {
  while (shard.bytes > shard_bytes_max_) {
    shard.hand = shard.hand < shard.clock.size() ? shard.hand : 0;
    Entry* const entry = shard.clock[shard.hand];
    if (entry->used) {
      entry->used = false;
      ++shard.hand;
    } else {
      remove(shard, entry);
    }
  }
}

}  // namespace waybill::engine
