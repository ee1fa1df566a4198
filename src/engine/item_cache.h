#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/reference_table.h"
#include "engine/segment_pool.h"

namespace waybill::engine {

// Records of tables that were read or written lately, by their full key: one look where RocksDB takes a
// search through memtable, filters, index and block. Behind an index that holds only keys, a page of 20 items
// is 20 such looks.
//
// A record here is always the one that a read of RocksDB would find. Every entry carries the sequence number
// of RocksDB at which it was seen to hold, and is hidden before the record changes: so it holds from then
// until now, and serves a reader of any moment in between. A record that was read as of some moment is taken
// in only where nothing of its shard has changed since.
//
// Entries stand one behind the other in segments. A record that changes keeps its place where it fits and
// fills at least half of it; else its old place is dead until the segment is swept, which moves what is alive
// to the front. When no more memory may be taken, a hand goes round the segments and sweeps out what was not
// used since it last came by.
//
// Thread safety: look_ahead(), find() and offer() from any thread; begin_change() and end_change() from the
// writer alone.
class ItemCache {
 public:
  static constexpr std::size_t look_ahead_max = 32;

  explicit ItemCache(std::size_t bytes_max);
  ItemCache(const ItemCache&) = delete;
  ItemCache& operator=(const ItemCache&) = delete;

  // Brings near what find() will look at for these keys, at most look_ahead_max: memory is then waited for
  // once, not key after key.
  void look_ahead(std::span<const std::string_view> keys);

  // Calls use(record) and returns true where the record as of `sequence` is here. `use` must be short: others
  // wait for it.
  template <typename Use>
  bool find(std::string_view key, uint64_t sequence, Use use) {
    const Hash hash = hash_of(key);
    Shard& shard = shard_of(hash);
    const std::lock_guard lock(shard.mutex);
    const Reference reference = find_in(shard, hash, key);
    if (reference == ReferenceTable::none) {
      return false;
    }
    Entry& entry = entry_at(shard, reference);
    if (entry.state != State::there || entry.since > sequence) {
      return false;
    }
    entry.used = true;
    use(entry.record());
    return true;
  }

  // A record as RocksDB had it at `sequence`.
  void offer(std::string_view key, std::string_view record, uint64_t sequence);

  // Around the write of a batch, for every record that it changes. `record` is what it becomes, or none;
  // `sequence` is RocksDB's behind the write.
  void begin_change(std::string_view key);
  void end_change(std::string_view key, std::optional<std::string_view> record, uint64_t sequence);

  // How many records are here, and the memory that was taken for them.
  std::size_t size() const;
  std::size_t bytes() const;

 private:
  using Reference = ReferenceTable::Reference;

  struct Hash {
    uint32_t shard = 0;
    uint32_t in_shard = 0;
  };

  enum class State : uint8_t { dead, changing, there };

  // Followed by the bytes of key and record, and room up to the end of its place.
  struct Entry {
    uint64_t since;
    uint32_t hash;
    uint16_t place_units;
    uint16_t key_bytes;
    uint16_t record_bytes;
    State state;
    bool used;  // since the hand came by

    char* data() { return reinterpret_cast<char*>(this + 1); }
    std::string_view key() { return {data(), key_bytes}; }
    std::string_view record() { return {data() + key_bytes, record_bytes}; }
    std::size_t place_bytes() const { return std::size_t{place_units} * place_unit; }
    std::size_t record_room() const { return place_bytes() - sizeof(Entry) - key_bytes; }
  };

  struct Segment {
    char* data;
    std::size_t filled_bytes = 0;
    std::size_t dead_bytes = 0;  // of these
  };

  struct Shard {
    mutable std::mutex mutex;
    ReferenceTable references;
    std::vector<Segment> segments;
    std::size_t filling = 0;  // the segment that takes new entries
    std::size_t hand = 0;
    std::size_t dead_bytes = 0;
    int changing = 0;          // records being changed
    uint64_t last_change = 0;  // the sequence number behind the last change
  };

  static constexpr std::size_t shard_count = 64;
  static constexpr std::size_t place_unit = 16;
  // A larger entry would push out too many others.
  static constexpr std::size_t entries_per_segment_min = 4;

  static Hash hash_of(std::string_view key);
  Shard& shard_of(const Hash& hash) { return shards_[hash.shard]; }
  Reference reference_to(std::size_t segment, std::size_t offset) const;
  Entry& entry_at(const Shard& shard, Reference reference) const;
  Reference find_in(const Shard& shard, const Hash& hash, std::string_view key) const;
  void insert(Shard& shard, const Hash& hash, std::string_view key, std::string_view record, uint64_t since);
  void erase(Shard& shard, Reference reference);
  bool make_room(Shard& shard, std::size_t bytes);
  bool add_segment(Shard& shard);
  enum class Keep : uint8_t { all, used, none };
  bool sweep_unused(Shard& shard, std::size_t segment);
  void sweep(Shard& shard, std::size_t segment, Keep keep);
  template <typename Visit>
  void for_each_entry(Shard& shard, std::size_t segment, Visit visit);
  // What a sweep has to make for any entry to fit.
  std::size_t room_after_sweep() const { return pool_.segment_bytes() / entries_per_segment_min; }

  SegmentPool pool_;
  const std::size_t units_per_segment_;
  const std::size_t shard_segments_max_;
  std::array<Shard, shard_count> shards_;
};

}  // namespace waybill::engine
