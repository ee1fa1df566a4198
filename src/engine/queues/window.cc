#include "engine/queues/window.h"

#include <algorithm>

namespace waybill::engine::queues {

void Window::pop_front() {
  ++begin_;
  if (empty()) {
    entries_.clear();
    begin_ = 0;
  } else if (begin_ > entries_.size() / 2) {
    entries_.erase(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(begin_));
    begin_ = 0;
  }
}

std::vector<Entry>::iterator Window::place_of(uint64_t sequence) {
  return std::lower_bound(entries_.begin() + static_cast<std::ptrdiff_t>(begin_), entries_.end(), sequence,
                          [](const Entry& entry, uint64_t wanted) { return entry.sequence < wanted; });
}

void Window::insert(const Entry& entry) {
  if (empty() || back().sequence < entry.sequence) {
    entries_.push_back(entry);
  } else if (begin_ > 0 && entry.sequence < front().sequence) {
    entries_[--begin_] = entry;
  } else {
    entries_.insert(place_of(entry.sequence), entry);
  }
}

bool Window::erase(uint64_t sequence) {
  const auto found = place_of(sequence);
  if (found == entries_.end() || found->sequence != sequence) {
    return false;
  }
  entries_.erase(found);
  if (empty()) {
    entries_.clear();
    begin_ = 0;
  }
  return true;
}

}  // namespace waybill::engine::queues
