#include "engine/memtable.h"

#include <rocksdb/slice.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <compare>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/check.h"
#include "engine/fill_together.h"
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

// The first 32 bytes of a key as numbers that order as they do. Fewer would not tell the entries
// of an index apart that share a partition: all of one status, say.
struct Digest {
  std::array<uint64_t, 4> parts{};

  auto operator<=>(const Digest&) const = default;
};

Digest digest_of(std::string_view key) {
  Digest digest;
  std::memcpy(digest.parts.data(), key.data(), key.size() < sizeof(digest) ? key.size() : sizeof(digest));
  if constexpr (std::endian::native == std::endian::little) {
    for (auto& part : digest.parts) {
      part = __builtin_bswap64(part);
    }
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

// What leads to an entry: `height` links, the lowest one last, and behind them what a search compares, so
// that both are mostly in one line of the cache. The entry, the bytes that RocksDB wrote (length, internal
// key, length, value), stands elsewhere, so that the nodes lie close together: a search visits many nodes and
// few entries.
struct Node {
  Digest digest;
  const char* entry;
  Node* previous;  // in order; null: the first
  Node* older;     // the next of the same bucket; every one was there before this
  uint32_t hash;
  int32_t height;

  Node*& next(int level) { return reinterpret_cast<Node**>(this)[-1 - level]; }
  Node* const& next(int level) const { return reinterpret_cast<Node* const*>(this)[-1 - level]; }
  Place place() const { return place_of(entry); }
};
static_assert(sizeof(Node) % sizeof(Node*) == 0);

void prefetch(const Node* node) {
  if (node == nullptr) {
    return;
  }
  __builtin_prefetch(reinterpret_cast<const char*>(node) - sizeof(Node*));
  __builtin_prefetch(reinterpret_cast<const char*>(node) + sizeof(Digest) - 1);
}

struct Target {
  Digest digest;
  Place place;

  explicit Target(const Place& of) : digest(digest_of(of.key)), place(of) {}
  explicit Target(const Node& node) : digest(node.digest), place(node.place()) {}
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
  // The last node of that hash, or null.
  Node* find(uint64_t hash) {
    const Finger& finger = finger_of(hash);
    return finger.tag == static_cast<uint32_t>(hash) ? finger.node : nullptr;
  }
  void point_at(uint64_t hash, Node* node) { finger_of(hash) = {node, static_cast<uint32_t>(hash)}; }

 private:
  struct Finger {
    Node* node = nullptr;
    uint32_t tag = 0;
  };
  Finger& finger_of(uint64_t hash) { return fingers_[(hash >> 32) % fingers_.size()]; }

  std::array<Finger, 512> fingers_{};
};

// The way to the last node before a target, one node at a time. The node that is looked at next is on its way
// from memory between two steps.
class Search {
 public:
  Search(const Target& target, const Node& head)
      : target_(target), at_(&head), next_(follow(head.next(level_))) {}

  bool is_over() const { return level_ < 0; }
  // The last node before the target, once it is over.
  const Node* at() const { return at_; }

  // For a search that has no others to wait with: what it looks at where its level ends here comes meanwhile.
  void fetch_below() const {
    if (level_ > 0) {
      prefetch(follow(at_->next(level_ - 1)));
    }
  }

  // `note(level, node)` is told the last node before the target on each level.
  template <typename Note>
  void step(Note note) {
    if (next_ != not_before_) {
      if (is_before(*next_, target_)) {
        at_ = next_;
        next_ = follow(at_->next(level_));
      } else {
        not_before_ = next_;
      }
    }
    // What has been looked at is not looked at again a level below.
    while (next_ == not_before_) {
      note(level_, at_);
      if (--level_ < 0) {
        return;
      }
      next_ = follow(at_->next(level_));
    }
    prefetch(next_);
  }

 private:
  Target target_;
  int level_ = height_max - 1;
  const Node* at_;
  const Node* next_;
  const Node* not_before_ = nullptr;
};

uint32_t hash_of(std::string_view key) {
  return static_cast<uint32_t>(XXH3_64bits(key.data(), key.size()));
}

class Memtable final : public rocksdb::MemTableRep, public FillTogether::Table {
 public:
  Memtable(rocksdb::Allocator* allocator, std::size_t buckets)
      : MemTableRep(allocator),
        mask_(static_cast<uint32_t>(buckets - 1)),
        // Untouched pages of zeroes cost nothing: an empty memtable stays small.
        buckets_(static_cast<Node**>(std::calloc(buckets, sizeof(Node*)))) {
    WAYBILL_CHECK(buckets_ != nullptr && std::has_single_bit(buckets));
    head()->height = height_max;
    is_made_.store(true, std::memory_order_release);
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
    // Whoever flushes makes the next memtable; the writer gets it by a lock of RocksDB's, which detectors of
    // races do not see.
    WAYBILL_CHECK(is_made_.load(std::memory_order_acquire));
    const auto* const entry = static_cast<const char*>(handle);
    const std::string_view key = place_of(entry).key;
    Node* const node = new_node();
    node->digest = digest_of(key);
    node->entry = entry;
    node->hash = hash_of(key);
    __builtin_prefetch(static_cast<const void*>(&bucket_of(*node)));
    waiting_.push_back(node);
    if (!FillTogether::keeps_entry_of(*this, waiting_.size() == 1)) {
      place_entries();
    }
    SyncBehind::entry_is_in();
  }

  void place_entries() override {
    for (std::size_t begin = 0; begin < waiting_.size(); begin += placed_at_once_max) {
      place(std::span(waiting_).subspan(begin, std::min(placed_at_once_max, waiting_.size() - begin)));
    }
    waiting_.clear();
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
    Search search(target, *head());
    while (!search.is_over()) {
      search.fetch_below();
      search.step([](int /*level*/, const Node* /*at*/) {});
    }
    return follow(search.at()->next(0));
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
  Node* head() { return reinterpret_cast<Node*>(head_memory_.data() + head_links_bytes); }
  const Node* head() const { return reinterpret_cast<const Node*>(head_memory_.data() + head_links_bytes); }

  static const Node* last_before(const Target& target, const Node* at, int level) {
    for (const Node* next = follow(at->next(level)); next != nullptr && is_before(*next, target);
         next = follow(at->next(level))) {
      at = next;
    }
    return at;
  }

  // An entry on the way to its place.
  struct Placing {
    Node* node = nullptr;
    // The last nodes before it, one for each of its levels, or earlier ones.
    std::array<Node*, height_max> before;
    uint64_t stem = 0;  // hashes for fingers that shall point at it; 0: none
    uint64_t start = 0;
  };

  void place(std::span<Node* const> nodes) {
    std::array<Placing, placed_at_once_max> placings;
    std::array<std::optional<Search>, placed_at_once_max> searches;
    if (nodes.size() > 1) {
      for (const Node* node : nodes) {
        __builtin_prefetch(bucket_of(*node));
      }
    }
    std::size_t searching = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      placings[i].node = nodes[i];
      const Target target(*nodes[i]);
      if (!guess_before(target, placings[i])) {
        searches[i].emplace(target, *head());
        ++searching;
      }
    }
    while (searching > 0) {
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (!searches[i] || searches[i]->is_over()) {
          continue;
        }
        searches[i]->step([&](int level, const Node* at) {
          placings[i].before[static_cast<std::size_t>(level)] = const_cast<Node*>(at);
        });
        searching -= searches[i]->is_over() ? 1 : 0;
      }
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      link(placings[i]);
    }
  }

  // Others that were placed together with it may stand between it and those that were before it.
  void link(const Placing& placing) {
    Node* const node = placing.node;
    const Target target(*node);
    for (int level = 0; level < node->height; ++level) {
      Node* const before =
          const_cast<Node*>(last_before(target, placing.before[static_cast<std::size_t>(level)], level));
      Node* const behind = before->next(level);
      node->next(level) = behind;
      if (level == 0) {
        node->previous = before == head() ? nullptr : before;
        if (behind != nullptr) {
          // A reader on its way back may pass this node by: it is newer than what that reader may see.
          set(behind->previous, node);
        }
      }
      set(before->next(level), node);
    }
    Node*& bucket = bucket_of(*node);
    node->older = bucket;
    set(bucket, node);
    if (placing.stem != 0) {
      by_stem_.point_at(placing.stem, node);
    }
    if (placing.start != 0) {
      by_start_.point_at(placing.start, node);
    }
  }

  // Most of what is written has its place beside something that was written lately: a new version of a key
  // stands right before the last one, the next of a row of keys behind the one before. Such a place is tried
  // before all is searched, for nodes that need to know few of those before them. True where it was right.
  bool guess_before(const Target& target, Placing& placing) {
    const Node& node = *placing.node;
    if (node.height > guessed_height_max) {
      return false;
    }
    Node* at = before_last_version(target, node.hash);
    at = at != nullptr ? at : beside_finger(target, placing);
    if (at == nullptr) {
      return false;
    }
    placing.before[0] = at;
    for (int left = steps_back_max; at->height < node.height; --left) {
      if (left == 0) {
        return false;
      }
      at = at->previous != nullptr ? at->previous : head();
    }
    placing.before[static_cast<std::size_t>(node.height - 1)] = at;
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
  Node* beside_finger(const Target& target, Placing& placing) {
    placing.stem = stem_hash(target);
    Node* at = beside(target, by_stem_.find(placing.stem));
    if (at == nullptr) {
      placing.start = start_hash(target);
      at = beside(target, by_start_.find(placing.start));
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
    return (target.digest.parts[0] ^ std::rotl(target.digest.parts[1], 32)) * 0x9e3779b97f4a7c15ULL;
  }
  static uint64_t stem_hash(const Target& target) {
    const auto key = target.place.key;
    const auto stem = key.substr(0, key.size() > stem_tail_bytes ? key.size() - stem_tail_bytes : 0);
    return XXH3_64bits(stem.data(), stem.size());
  }

  Node*& bucket_of(const Node& node) { return buckets_[node.hash & mask_]; }

  Node* new_node() {
    const int height = draw_height();
    const std::size_t bytes = sizeof(Node) + static_cast<std::size_t>(height) * sizeof(Node*);
    if (chunk_left_ < bytes) {
      add_chunk();
    }
    auto* const node = reinterpret_cast<Node*>(chunk_at_ + static_cast<std::size_t>(height) * sizeof(Node*));
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

  static constexpr std::size_t placed_at_once_max = 16;
  static constexpr int guessed_height_max = 2;
  static constexpr int steps_back_max = 32;
  static constexpr int steps_aside_max = 6;
  static constexpr std::size_t stem_tail_bytes = 12;  // a number, as keys have them, or what ends an id
  static constexpr std::size_t head_links_bytes = height_max * sizeof(Node*);
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
  std::vector<Node*> waiting_;  // for their places
  std::atomic<bool> is_made_{false};
  Fingers by_start_;
  Fingers by_stem_;
  alignas(Node) std::array<char, head_links_bytes + sizeof(Node)> head_memory_{};
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
  // Whoever goes on will go further: the next entry and the node behind it come meanwhile.
  void Next() override {
    at_ = follow(at_->next(0));
    const Node* const coming = at_ == nullptr ? nullptr : follow(at_->next(0));
    if (coming != nullptr) {
      __builtin_prefetch(coming->entry);
      prefetch(follow(coming->next(0)));
    }
  }
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
