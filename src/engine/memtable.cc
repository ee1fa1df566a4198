#include "engine/memtable.h"

#include <rocksdb/slice.h>
#include <xxhash.h>

#include <array>
#include <atomic>
#include <bit>
#include <compare>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/check.h"
#include "engine/huge_pages.h"
#include "engine/sync_behind.h"

namespace waybill::engine {
namespace {

constexpr int height_max = 12;
constexpr std::size_t trailer_bytes = 8;  // of an internal key: sequence number and type

// A pointer that one thread sets and any thread follows. It lives in memory that nobody constructs.
template <typename T>
T* follow(T* const& link) {
  return std::atomic_ref<T*>(const_cast<T*&>(link)).load(std::memory_order_acquire);
}
template <typename T>
void set(T*& link, T* to) {
  std::atomic_ref<T*>(link).store(to, std::memory_order_release);
}

// The first sixteen bytes of a key as numbers that order as they do. Eight are not enough: they are the same
// for all times of one expiry index, and for all entries of an index that share a partition.
struct Digest {
  uint64_t high = 0;
  uint64_t low = 0;

  auto operator<=>(const Digest&) const = default;
};

Digest digest_of(std::string_view key) {
  Digest digest;
  std::memcpy(&digest, key.data(), key.size() < sizeof(digest) ? key.size() : sizeof(digest));
  if constexpr (std::endian::native == std::endian::little) {
    digest.high = __builtin_bswap64(digest.high);
    digest.low = __builtin_bswap64(digest.low);
  }
  return digest;
}

// A key with its version, in RocksDB's order: by key, then newest first.
struct Place {
  std::string_view key;
  uint64_t version;  // sequence number and type

  static Place of(std::string_view internal_key) {
    Place place{internal_key.substr(0, internal_key.size() - trailer_bytes), 0};
    std::memcpy(&place.version, internal_key.data() + place.key.size(), sizeof(place.version));
    return place;
  }
};

Place place_of(const char* entry) {
  const uint32_t length = read_varint(entry);
  return Place::of({entry, length});
}

// What leads to an entry: a head with `height` links behind it. The entry, the bytes that RocksDB wrote
// (length, internal key, length, value), stands elsewhere, so that the nodes lie close together: a search
// visits many nodes and few entries.
struct Node {
  Digest digest;
  const char* entry;
  Node* older;     // the next of the same bucket; every one was there before this
  Node* previous;  // in order; null: the first
  uint32_t hash;
  int32_t height;

  Node*& next(int level) { return reinterpret_cast<Node**>(this + 1)[level]; }
  Node* const& next(int level) const { return reinterpret_cast<Node* const*>(this + 1)[level]; }
  Place place() const { return place_of(entry); }
};
static_assert(sizeof(Node) % sizeof(Node*) == 0);

struct Target {
  Digest digest;
  Place place;

  explicit Target(const Place& of) : digest(digest_of(of.key)), place(of) {}
};

bool is_before(const Node& node, const Target& target) {
  if (node.digest != target.digest) {
    return node.digest < target.digest;
  }
  const Place place = node.place();
  const int order = place.key.compare(target.place.key);
  return order != 0 ? order < 0 : place.version > target.place.version;
}

// Nodes that were put in lately, by a hash of what they have in common with others. Those of another hash are
// not looked at: they would be waited for in vain.
class Fingers {
 public:
  // What `use` makes of the last node of that hash, or null; `node` is the last one from now on.
  template <typename Use>
  Node* point_at(uint64_t hash, const Node& node, Use use) {
    Finger& finger = fingers_[(hash >> 32) % fingers_.size()];
    const auto tag = static_cast<uint32_t>(hash);
    Node* const found = finger.node != nullptr && finger.tag == tag ? use(finger.node) : nullptr;
    finger = {const_cast<Node*>(&node), tag};
    return found;
  }

 private:
  struct Finger {
    Node* node = nullptr;
    uint32_t tag = 0;
  };
  std::array<Finger, 512> fingers_{};
};

uint32_t hash_of(std::string_view key) {
  return static_cast<uint32_t>(XXH3_64bits(key.data(), key.size()));
}

class Memtable final : public rocksdb::MemTableRep {
 public:
  Memtable(rocksdb::Allocator* allocator, std::size_t buckets)
      : MemTableRep(allocator),
        mask_(static_cast<uint32_t>(buckets - 1)),
        // Untouched pages of zeroes cost nothing: an empty memtable stays small.
        buckets_(static_cast<Node**>(std::calloc(buckets, sizeof(Node*)))) {
    WAYBILL_CHECK(buckets_ != nullptr && std::has_single_bit(buckets));
    head()->height = height_max;
  }
  ~Memtable() override {
    std::free(static_cast<void*>(buckets_));
    for (std::byte* const page : huge_pages_) {
      HugePages::all().give_back(page);
    }
  }
  Memtable(const Memtable&) = delete;
  Memtable& operator=(const Memtable&) = delete;

  void Insert(rocksdb::KeyHandle handle) override {
    const auto* const entry = static_cast<const char*>(handle);
    const Target target(place_of(entry));
    Node* const node = new_node();
    node->digest = target.digest;
    node->entry = entry;
    node->hash = hash_of(target.place.key);
    Node*& bucket = buckets_[node->hash & mask_];
    __builtin_prefetch(static_cast<const void*>(&bucket));

    std::array<Node*, height_max> before;
    if (!guess_before(target, *node, before)) {
      find_before(target, before);
    }
    node->previous = before[0] == head() ? nullptr : before[0];
    for (int level = 0; level < node->height; ++level) {
      Node* const behind = before[static_cast<std::size_t>(level)]->next(level);
      node->next(level) = behind;
      if (level == 0 && behind != nullptr) {
        // A reader on its way back may pass this node by: it is newer than what that reader may see.
        set(behind->previous, node);
      }
      set(before[static_cast<std::size_t>(level)]->next(level), node);
    }
    node->older = bucket;
    set(bucket, node);
    SyncBehind::entry_is_in();
  }

  bool Contains(const char* entry) const override {
    const rocksdb::Slice key = rocksdb::GetLengthPrefixedSlice(entry);
    const Place place = Place::of({key.data(), key.size()});
    const Node* found = newest(place);
    return found != nullptr && found->place().version == place.version;
  }

  // Beyond what came from RocksDB's allocator.
  std::size_t ApproximateMemoryUsage() override {
    return (std::size_t{mask_} + 1) * sizeof(Node*) + chunks_bytes_.load(std::memory_order_relaxed);
  }

  // Counts on the highest level that has a fair number of nodes in between, and scales up.
  uint64_t ApproximateNumEntries(const rocksdb::Slice& begin, const rocksdb::Slice& end) override {
    constexpr uint64_t enough = 64;
    const Target from(Place::of({begin.data(), begin.size()}));
    const Target to(Place::of({end.data(), end.size()}));
    const Node* before = head();
    uint64_t scale = 1ULL << (2 * (height_max - 1));
    for (int level = height_max - 1; level >= 0; --level, scale /= 4) {
      before = last_before(from, before, level);
      uint64_t count = 0;
      for (const Node* at = follow(before->next(level)); at != nullptr && is_before(*at, to);
           at = follow(at->next(level))) {
        ++count;
      }
      if (count >= enough || level == 0) {
        return count * scale;
      }
    }
    return 0;
  }

  Iterator* GetIterator(rocksdb::Arena* arena) override;
  Iterator* GetDynamicPrefixIterator(rocksdb::Arena* arena) override;

  const Node* first() const { return follow(head()->next(0)); }

  const Node* at_or_after(const Target& target) const {
    const Node* before = head();
    for (int level = height_max - 1; level >= 0; --level) {
      before = last_before(target, before, level);
    }
    return follow(before->next(0));
  }

  const Node* at_or_before(const Target& target) const {
    const Node* const at = at_or_after(target);
    if (at != nullptr && at->digest == target.digest) {
      const Place place = at->place();
      if (place.key == target.place.key && place.version == target.place.version) {
        return at;
      }
    }
    return at != nullptr ? follow(at->previous) : last();
  }

  const Node* last() const {
    const Node* at = head();
    for (int level = height_max - 1; level >= 0; --level) {
      for (const Node* next = follow(at->next(level)); next != nullptr; next = follow(at->next(level))) {
        at = next;
      }
    }
    return at == head() ? nullptr : at;
  }

  // The newest version of a key that is not newer than asked for.
  const Node* newest(const Place& place) const {
    const uint32_t hash = hash_of(place.key);
    return in_bucket(follow(buckets_[hash & mask_]), hash, place);
  }

  static const Node* in_bucket(const Node* at, uint32_t hash, const Place& place) {
    for (; at != nullptr; at = at->older) {
      if (at->hash == hash) {
        const Place here = at->place();
        if (here.version <= place.version && here.key == place.key) {
          return at;
        }
      }
    }
    return nullptr;
  }

 private:
  // The list's start: a node with all links and no entry.
  Node* head() { return reinterpret_cast<Node*>(head_memory_.data()); }
  const Node* head() const { return reinterpret_cast<const Node*>(head_memory_.data()); }

  static const Node* last_before(const Target& target, const Node* at, int level) {
    for (const Node* next = follow(at->next(level)); next != nullptr && is_before(*next, target);
         next = follow(at->next(level))) {
      at = next;
    }
    return at;
  }

  void find_before(const Target& target, std::array<Node*, height_max>& before) {
    const Node* at = head();
    for (int level = height_max - 1; level >= 0; --level) {
      at = last_before(target, at, level);
      before[static_cast<std::size_t>(level)] = const_cast<Node*>(at);
    }
  }

  // Most of what is written has its place beside something that was written lately: a new version of a key
  // stands right before the last one, the next of a row of keys behind the one before. Such a place is tried
  // before all is searched, for nodes that need to know few of those before them. True where it was right.
  bool guess_before(const Target& target, const Node& node, std::array<Node*, height_max>& before) {
    if (node.height > guessed_height_max) {
      return false;
    }
    Node* at = before_last_version(target, node.hash);
    at = at != nullptr ? at : beside_finger(target, node);
    if (at == nullptr) {
      return false;
    }
    before[0] = at;
    for (int left = steps_back_max; at->height < node.height; --left) {
      if (left == 0) {
        return false;
      }
      at = at->previous != nullptr ? at->previous : head();
    }
    before[static_cast<std::size_t>(node.height - 1)] = at;
    return true;
  }

  // Null where the key has no older version here.
  Node* before_last_version(const Target& target, uint32_t hash) {
    for (Node* at = buckets_[hash & mask_]; at != nullptr; at = at->older) {
      if (at->hash == hash) {
        const Place here = at->place();
        if (here.key == target.place.key) {
          return here.version >= target.place.version ? nullptr
                 : at->previous != nullptr            ? at->previous
                                                      : head();
        }
      }
    }
    return nullptr;
  }

  // Fingers that were tried point at the new node from then on.
  Node* beside_finger(const Target& target, const Node& node) {
    Node* at = by_stem_.point_at(stem_hash(target), node, [&](Node* last) { return beside(target, last); });
    if (at == nullptr) {
      at = by_start_.point_at(start_hash(target), node, [&](Node* last) { return beside(target, last); });
    }
    return at;
  }

  // The last node before the target where that is close to `finger`, else null.
  Node* beside(const Target& target, Node* finger) {
    if (finger == nullptr) {
      return nullptr;
    }
    if (!is_before(*finger, target)) {
      for (int left = steps_aside_max; left > 0; --left) {
        finger = finger->previous;
        if (finger == nullptr) {
          return head();
        }
        if (is_before(*finger, target)) {
          return finger;
        }
      }
      return nullptr;
    }
    for (int left = steps_aside_max; left > 0; --left) {
      Node* const next = finger->next(0);
      if (next == nullptr || !is_before(*next, target)) {
        return finger;
      }
      finger = next;
    }
    return nullptr;
  }

  // Of keys that begin alike, and of those that differ only at the end.
  static uint64_t start_hash(const Target& target) {
    return (target.digest.high ^ std::rotl(target.digest.low, 32)) * 0x9e3779b97f4a7c15ULL;
  }
  static uint64_t stem_hash(const Target& target) {
    const auto key = target.place.key;
    const auto stem = key.substr(0, key.size() > stem_tail_bytes ? key.size() - stem_tail_bytes : 0);
    return XXH3_64bits(stem.data(), stem.size());
  }

  Node* new_node() {
    const int height = draw_height();
    const std::size_t bytes = sizeof(Node) + static_cast<std::size_t>(height) * sizeof(Node*);
    if (chunk_left_ < bytes) {
      add_chunk();
    }
    auto* const node = reinterpret_cast<Node*>(chunk_at_);
    chunk_at_ += bytes;
    chunk_left_ -= bytes;
    node->height = height;
    return node;
  }

  // A table that stays small takes little. One that grows is searched at random: with ordinary pages most
  // steps would wait for the page tables first.
  void add_chunk() {
    const bool is_huge = chunks_bytes_.load(std::memory_order_relaxed) >= huge_page_bytes / 2;
    const std::size_t bytes = is_huge ? huge_page_bytes : small_chunk_bytes;
    if (is_huge) {
      chunk_at_ = huge_pages_.emplace_back(HugePages::all().take());
    } else {
      chunk_at_ = static_cast<std::byte*>(std::malloc(bytes));
      WAYBILL_CHECK(chunk_at_ != nullptr);
      chunks_.emplace_back(chunk_at_);
    }
    chunk_left_ = bytes;
    chunks_bytes_.fetch_add(bytes, std::memory_order_relaxed);
  }

  // One link, and another with a chance of a quarter each.
  int draw_height() {
    random_ ^= random_ << 13;
    random_ ^= random_ >> 7;
    random_ ^= random_ << 17;
    const int pairs = std::countr_zero(random_ | 1ULL << (2 * (height_max - 1))) / 2;
    return pairs + 1;
  }

  static constexpr int guessed_height_max = 2;
  static constexpr int steps_back_max = 32;
  static constexpr int steps_aside_max = 6;
  static constexpr std::size_t stem_tail_bytes = 12;  // a number, as keys have them, or what ends an id
  static constexpr std::size_t small_chunk_bytes = 64UL * 1024;

  struct Free {
    void operator()(std::byte* chunk) const { std::free(chunk); }
  };

  uint64_t random_ = 0x9e3779b97f4a7c15ULL;
  std::vector<std::unique_ptr<std::byte, Free>> chunks_;  // where the first nodes are …
  std::vector<std::byte*> huge_pages_;                    // … and the others
  std::byte* chunk_at_ = nullptr;                         // in the last one
  std::size_t chunk_left_ = 0;                            // of it
  std::atomic<std::size_t> chunks_bytes_{0};
  uint32_t mask_;
  Node** buckets_;
  Fingers by_start_;
  Fingers by_stem_;
  alignas(Node) std::array<char, sizeof(Node) + height_max * sizeof(Node*)> head_memory_{};
};

class MemtableIterator final : public rocksdb::MemTableRep::Iterator {
 public:
  explicit MemtableIterator(const Memtable& table) : table_(table) {}
  ~MemtableIterator() override { free_places().push_back(this); }
  MemtableIterator(const MemtableIterator&) = delete;
  MemtableIterator& operator=(const MemtableIterator&) = delete;

  // RocksDB ends an iterator by delete or, where it gave an arena, by calling the destructor alone. Its arena
  // cannot be reached from outside, so memory comes from a list of the thread's, and the destructor gives it
  // back either way.
  static void* operator new(std::size_t bytes) {
    auto& places = free_places();
    if (places.empty()) {
      return ::operator new(bytes);
    }
    void* const place = places.back();
    places.pop_back();
    return place;
  }
  static void operator delete(void* /*place*/) {}

  bool Valid() const override { return at_ != nullptr; }
  const char* key() const override { return at_->entry; }
  void Next() override { at_ = follow(at_->next(0)); }
  void Prev() override { at_ = follow(at_->previous); }
  void Seek(const rocksdb::Slice& internal_key, const char* /*memtable_key*/) override {
    at_ = table_.at_or_after(Target(Place::of({internal_key.data(), internal_key.size()})));
  }
  void SeekForPrev(const rocksdb::Slice& internal_key, const char* /*memtable_key*/) override {
    at_ = table_.at_or_before(Target(Place::of({internal_key.data(), internal_key.size()})));
  }
  void SeekToFirst() override { at_ = table_.first(); }
  void SeekToLast() override { at_ = table_.last(); }

 private:
  struct Places : std::vector<void*> {
    ~Places() {
      for (void* place : *this) {
        ::operator delete(place);
      }
    }
  };
  static Places& free_places() {
    thread_local Places places;
    return places;
  }

  const Memtable& table_;
  const Node* at_ = nullptr;
};

// The versions of one key, newest first: all that a point read asks for.
class VersionsOfKey final : public rocksdb::MemTableRep::Iterator {
 public:
  void begin(const Memtable& table) { table_ = &table; }

  bool Valid() const override { return at_ != nullptr; }
  const char* key() const override { return at_->entry; }
  void Next() override { at_ = Memtable::in_bucket(at_->older, at_->hash, at_->place()); }
  void Seek(const rocksdb::Slice& internal_key, const char* /*memtable_key*/) override {
    at_ = table_->newest(Place::of({internal_key.data(), internal_key.size()}));
  }

  // A point read only seeks and goes on from there.
  void Prev() override { at_ = nullptr; }
  void SeekForPrev(const rocksdb::Slice& /*internal_key*/, const char* /*memtable_key*/) override {
    at_ = nullptr;
  }
  void SeekToFirst() override { at_ = nullptr; }
  void SeekToLast() override { at_ = nullptr; }

 private:
  const Memtable* table_ = nullptr;
  const Node* at_ = nullptr;
};

rocksdb::MemTableRep::Iterator* Memtable::GetIterator(rocksdb::Arena* /*arena*/) {
  return new MemtableIterator(*this);
}

// RocksDB's point read takes this one for a moment and does not free it.
rocksdb::MemTableRep::Iterator* Memtable::GetDynamicPrefixIterator(rocksdb::Arena* arena) {
  if (arena != nullptr) {
    return GetIterator(arena);
  }
  thread_local VersionsOfKey versions;
  versions.begin(*this);
  return &versions;
}

class MemtableFactory final : public rocksdb::MemTableRepFactory {
 public:
  explicit MemtableFactory(std::size_t buckets) : buckets_(buckets) {}

  using rocksdb::MemTableRepFactory::CreateMemTableRep;
  rocksdb::MemTableRep* CreateMemTableRep(const rocksdb::MemTableRep::KeyComparator& /*comparator*/,
                                          rocksdb::Allocator* allocator,
                                          const rocksdb::SliceTransform* /*prefix*/,
                                          rocksdb::Logger* /*logger*/) override {
    return new Memtable(allocator, buckets_);
  }
  const char* Name() const override { return "waybill.Memtable"; }

 private:
  const std::size_t buckets_;
};

}  // namespace

std::shared_ptr<rocksdb::MemTableRepFactory> make_memtable_factory(std::size_t buckets) {
  return std::make_shared<MemtableFactory>(buckets);
}

}  // namespace waybill::engine
