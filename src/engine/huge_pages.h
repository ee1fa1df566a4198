#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <mutex>
#include <vector>

#include "base/check.h"

namespace waybill::engine {

inline constexpr std::size_t huge_page_bytes = 2UL << 20;

// Huge pages of memtables that are gone, for the next ones: the system would empty each before it gives it
// out again, on the thread that writes.
class HugePages {
 public:
  std::byte* take() {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      std::byte* const page = free_.back();
      free_.pop_back();
      return page;
    }
    auto* const page = static_cast<std::byte*>(std::aligned_alloc(huge_page_bytes, huge_page_bytes));
    WAYBILL_CHECK(page != nullptr);
    madvise(page, huge_page_bytes, MADV_HUGEPAGE);
    return page;
  }
  void give_back(std::byte* page) {
    const std::lock_guard lock(mutex_);
    if (free_.size() < free_max) {
      free_.push_back(page);
    } else {
      std::free(page);
    }
  }

  static HugePages& all() {
    static auto* const pages = new HugePages();
    return *pages;
  }

 private:
  static constexpr std::size_t free_max = 24;
  std::mutex mutex_;
  std::vector<std::byte*> free_;
};

}  // namespace waybill::engine
