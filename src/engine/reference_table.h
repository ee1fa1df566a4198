#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace waybill::engine {

// From a hash of 32 bits to references of 32 bits; several may share a hash. A look goes to one line of
// memory, and what is referred to is not touched before the whole hash is the same.
//
// Thread safety: prefetch() from any thread at any time; everything else needs a lock.
class ReferenceTable {
 public:
  using Reference = uint32_t;
  static constexpr Reference none = UINT32_MAX;

  // The first reference of this hash for which is_wanted(reference), or none.
  template <typename IsWanted>
  Reference find(uint32_t hash, IsWanted is_wanted) const {
    for (std::size_t i = hash & mask(); size_ > 0 && slots_[i].reference != none; i = (i + 1) & mask()) {
      if (slots_[i].hash == hash && is_wanted(slots_[i].reference)) {
        return slots_[i].reference;
      }
    }
    return none;
  }

  void insert(uint32_t hash, Reference reference);
  // The reference is in the table.
  void erase(uint32_t hash, Reference reference);
  void replace(uint32_t hash, Reference from, Reference to) { slots_[place_of(hash, from)].reference = to; }

  std::size_t size() const { return size_; }

  // Brings near what find() will look at.
  void prefetch(uint32_t hash) const {
    const Slot* const slots = shown_slots_.load(std::memory_order_relaxed);
    __builtin_prefetch(slots + (hash & shown_mask_.load(std::memory_order_relaxed)));
  }

 private:
  struct Slot {
    uint32_t hash = 0;
    Reference reference = none;
  };

  std::size_t mask() const { return slot_count_ - 1; }
  std::size_t place_of(uint32_t hash, Reference reference) const;
  void place(uint32_t hash, Reference reference);
  void grow();

  std::unique_ptr<Slot[]> slots_;
  std::size_t slot_count_ = 0;  // a power of two
  std::size_t size_ = 0;
  // For prefetch(): may be out of date, and of two times, which a prefetch forgives.
  std::atomic<const Slot*> shown_slots_{nullptr};
  std::atomic<std::size_t> shown_mask_{0};
};

}  // namespace waybill::engine
