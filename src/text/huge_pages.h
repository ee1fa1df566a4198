#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>

namespace waybill::text {

// An allocator for large tables that are read here and there: the system is asked to back them with pages of
// 2 MiB, so that finding the page of a place costs less.
template <typename T>
struct HugePages {
  using value_type = T;

  HugePages() = default;
  template <typename Other>
  HugePages(const HugePages<Other>& /*other*/) {}

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    if (bytes < page_bytes) {
      return static_cast<T*>(::operator new(bytes));
    }
    void* const memory = ::operator new(bytes, std::align_val_t(page_bytes));
    // Only advice: where the system has no such pages, others do.
    ::madvise(memory, bytes, MADV_HUGEPAGE);
    return static_cast<T*>(memory);
  }

  void deallocate(T* memory, std::size_t count) {
    if (count * sizeof(T) < page_bytes) {
      ::operator delete(memory);
    } else {
      ::operator delete(memory, std::align_val_t(page_bytes));
    }
  }

  bool operator==(const HugePages&) const = default;

 private:
  static constexpr std::size_t page_bytes = std::size_t{2} << 20;
};

}  // namespace waybill::text
