#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/queues/rows.h"

namespace waybill::engine::queues {

// A message that can be received.
struct Entry {
  uint64_t sequence = 0;
  MessageHead head;
  int64_t first_received_ms = 0;  // 0: never
  uint64_t token = 0;             // of the last receive
  uint32_t receive_count = 0;
  std::shared_ptr<const std::string> record = nullptr;  // the content, where there was room for it in memory
};

// The first messages of a group that can be received, in order: a stretch of what is on disk, held in memory.
class Window {
 public:
  bool empty() const { return begin_ == entries_.size(); }
  std::size_t size() const { return entries_.size() - begin_; }
  const Entry& front() const { return entries_[begin_]; }
  const Entry& back() const { return entries_.back(); }

  void pop_front();
  void pop_back() { entries_.pop_back(); }
  // Puts it where its sequence belongs, which is mostly at one of the ends.
  void insert(const Entry& entry);
  // Whether it was there.
  bool erase(uint64_t sequence);

 private:
  std::vector<Entry>::iterator place_of(uint64_t sequence);

  std::vector<Entry> entries_;
  std::size_t begin_ = 0;  // what stands before is gone
};

}  // namespace waybill::engine::queues
