#include "engine/reference_table.h"

#include <utility>

#include "base/check.h"

namespace waybill::engine {
namespace {

constexpr std::size_t slots_first = 64;

}  // namespace

void ReferenceTable::insert(uint32_t hash, Reference reference) {
  WAYBILL_CHECK(reference != none);
  // Three quarters full at most: what is not there is then found missing after a few slots.
  if (4 * (size_ + 1) > 3 * slot_count_) {
    grow();
  }
  place(hash, reference);
  ++size_;
}

void ReferenceTable::place(uint32_t hash, Reference reference) {
  std::size_t i = hash & mask();
  while (slots_[i].reference != none) {
    i = (i + 1) & mask();
  }
  slots_[i] = {hash, reference};
}

std::size_t ReferenceTable::place_of(uint32_t hash, Reference reference) const {
  std::size_t i = hash & mask();
  while (slots_[i].reference != reference) {
    WAYBILL_CHECK(slots_[i].reference != none);
    i = (i + 1) & mask();
  }
  return i;
}

// Those behind move up, so that every one is still found from its own place without a gap in between.
void ReferenceTable::erase(uint32_t hash, Reference reference) {
  std::size_t gap = place_of(hash, reference);
  for (std::size_t i = (gap + 1) & mask(); slots_[i].reference != none; i = (i + 1) & mask()) {
    const std::size_t home = slots_[i].hash & mask();
    const bool reaches_gap = ((i - home) & mask()) >= ((i - gap) & mask());
    if (reaches_gap) {
      slots_[gap] = slots_[i];
      gap = i;
    }
  }
  slots_[gap] = Slot();
  --size_;
}

void ReferenceTable::grow() {
  const auto old = std::move(slots_);
  const std::size_t old_count = slot_count_;
  slot_count_ = old_count == 0 ? slots_first : 2 * old_count;
  slots_ = std::make_unique<Slot[]>(slot_count_);
  shown_slots_.store(slots_.get(), std::memory_order_relaxed);
  shown_mask_.store(mask(), std::memory_order_relaxed);
  for (std::size_t i = 0; i < old_count; ++i) {
    if (old[i].reference != none) {
      place(old[i].hash, old[i].reference);
    }
  }
}

}  // namespace waybill::engine
