#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

namespace waybill::engine::queues {

// Memory for the contents of messages that will be received next, within a bound for all queues together.
//
// Thread safety: keep() from one thread; what it gives may be let go of on any.
class RecordRoom {
 public:
  explicit RecordRoom(std::size_t bytes_max) : bytes_max_(bytes_max) {}

  // Null where there is no room: then it has to be read from disk.
  std::shared_ptr<const std::string> keep(std::string record) {
    if (used_->load(std::memory_order_relaxed) + record.size() > bytes_max_) {
      return nullptr;
    }
    const auto kept = std::make_shared<const Kept>(std::move(record), used_);
    return {kept, &kept->record};
  }

 private:
  using Counter = std::shared_ptr<std::atomic<std::size_t>>;

  struct Kept {
    Kept(std::string given, Counter counter) : record(std::move(given)), used(std::move(counter)) {
      used->fetch_add(record.size(), std::memory_order_relaxed);
    }
    ~Kept() { used->fetch_sub(record.size(), std::memory_order_relaxed); }
    Kept(const Kept&) = delete;
    Kept& operator=(const Kept&) = delete;

    const std::string record;
    const Counter used;
  };

  const std::size_t bytes_max_;
  const Counter used_ = std::make_shared<std::atomic<std::size_t>>(0);
};

}  // namespace waybill::engine::queues
