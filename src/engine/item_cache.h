#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

namespace waybill::engine {

// Records of tables that were read or written lately, by their full key: one look where RocksDB takes a
// search through memtable, filters, index and block. Behind an index that holds only keys, a page of 20 items
// is 20 such looks.
//
// A record here is always the one that a read of RocksDB would find. Every entry carries the sequence number
// of RocksDB at which it was seen to hold, and is taken out before the record changes: so it holds from then
// until now, and serves a reader of any moment in between. A record that was read as of some moment is taken
// in only where nothing of its shard has changed since.
//
// Thread safety: find() and offer() from any thread; begin_change() and end_change() from the writer alone.
class ItemCache {
 public:
  explicit ItemCache(std::size_t bytes_max) : shard_bytes_max_(bytes_max / shard_count) {}
  ~ItemCache();
  ItemCache(const ItemCache&) = delete;
  ItemCache& operator=(const ItemCache&) = delete;

  // Calls use(record) and returns true where the record as of `sequence` is here. `use` must be short: others
  // wait for it.
  template <typename Use>
  bool find(std::string_view key, uint64_t sequence, Use use) {
    const uint32_t hash = hash_of(key);
    Shard& shard = shard_of(hash);
    const std::lock_guard lock(shard.mutex);
    Entry* const entry = find_in(shard, hash, key);
    if (entry == nullptr || entry->since > sequence) {
      return false;
    }
    entry->used = true;
    use(entry->record());
    return true;
  }

  // A record as RocksDB had it at `sequence`.
  void offer(std::string_view key, std::string_view record, uint64_t sequence);

  // Around the write of a batch, for every record that it changes. `record` is what it becomes, or none;
  // `sequence` is RocksDB's behind the write.
  void begin_change(std::string_view key);
  void end_change(std::string_view key, std::optional<std::string_view> record, uint64_t sequence);

  std::size_t bytes() const;

 private:
  // Followed by the bytes of key and record.
  struct Entry {
    Entry* next;  // of the same bucket
    uint64_t since;
    uint32_t hash;
    uint32_t key_bytes;
    uint32_t record_bytes;
    uint32_t place;  // in Shard::clock
    bool used;       // since the hand of the clock came by

    const char* data() const { return reinterpret_cast<const char*>(this + 1); }
    std::string_view key() const { return {data(), key_bytes}; }
    std::string_view record() const { return {data() + key_bytes, record_bytes}; }
    std::size_t size() const { return sizeof(Entry) + key_bytes + record_bytes; }
  };

  struct Shard {
    mutable std::mutex mutex;
    std::vector<Entry*> buckets;
    std::vector<Entry*> clock;  // all entries; a hand goes round and takes those that were not used
    std::size_t hand = 0;
    std::size_t bytes = 0;
    int changing = 0;          // records being changed
    uint64_t last_change = 0;  // the sequence number behind the last change
  };

  static constexpr std::size_t shard_count = 256;

  static uint32_t hash_of(std::string_view key);
  Shard& shard_of(uint32_t hash) { return shards_[hash % shard_count]; }
  static Entry** bucket_of(Shard& shard, uint32_t hash);
  static Entry* find_in(Shard& shard, uint32_t hash, std::string_view key);
  void insert(Shard& shard, uint32_t hash, std::string_view key, std::string_view record, uint64_t since);
  static void erase(Shard& shard, uint32_t hash, std::string_view key);
  static void remove(Shard& shard, Entry* entry);
  static void grow(Shard& shard);
  void make_room(Shard& shard) const;

  const std::size_t shard_bytes_max_;
  std::array<Shard, shard_count> shards_;
};

}  // namespace waybill::engine
