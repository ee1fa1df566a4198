#include "counting.h"

#include <valgrind/callgrind.h>

#include <cstdlib>
#include <new>

namespace waybill::micro {
namespace {

thread_local int64_t allocations = 0;
thread_local int64_t allocations_at_begin = 0;

void* allocated(void* memory) {
  ++allocations;
  if (memory == nullptr) {
    std::abort();
  }
  return memory;
}

void* allocate(std::size_t bytes) {
  return allocated(std::malloc(bytes > 0 ? bytes : 1));
}

void* allocate_aligned(std::size_t bytes, std::align_val_t alignment) {
  const auto aligned = static_cast<std::size_t>(alignment);
  return allocated(std::aligned_alloc(aligned, (bytes + aligned - 1) / aligned * aligned));
}

}  // namespace

void begin_counting() {
  allocations_at_begin = allocations;
  CALLGRIND_TOGGLE_COLLECT;
}

int64_t end_counting() {
  CALLGRIND_TOGGLE_COLLECT;
  return allocations - allocations_at_begin;
}

void write_counts(const char* name) {
  CALLGRIND_DUMP_STATS_AT(name);
}

bool under_valgrind() {
  return RUNNING_ON_VALGRIND != 0;
}

}  // namespace waybill::micro

// The other forms of new and delete come down to these.
void* operator new(std::size_t bytes) {
  return waybill::micro::allocate(bytes);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return waybill::micro::allocate_aligned(bytes, alignment);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t /*bytes*/) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t /*bytes*/, std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}
