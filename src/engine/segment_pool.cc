#include "engine/segment_pool.h"

#include <sys/mman.h>

#include <cstdint>

namespace waybill::engine {
namespace {

// A chunk that begins at a multiple of its size: what lies before and behind it is given back.
char* map_chunk() {
  constexpr std::size_t bytes = SegmentPool::chunk_bytes;
  void* const mapped = mmap(nullptr, 2 * bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) {
    return nullptr;
  }
  char* const begin = static_cast<char*>(mapped);
  const std::size_t before = (bytes - reinterpret_cast<std::uintptr_t>(begin) % bytes) % bytes;
  char* const chunk = begin + before;
  if (before > 0) {
    munmap(begin, before);
  }
  munmap(chunk + bytes, bytes - before);
  madvise(chunk, bytes, MADV_HUGEPAGE);
  return chunk;
}

}  // namespace

SegmentPool::~SegmentPool() {
  for (char* chunk : chunks_) {
    munmap(chunk, chunk_bytes);
  }
}

char* SegmentPool::take() {
  const std::lock_guard lock(mutex_);
  if (taken_bytes_ == chunk_bytes) {
    char* const chunk = map_chunk();
    if (chunk == nullptr) {
      return nullptr;
    }
    chunks_.push_back(chunk);
    taken_bytes_ = 0;
  }
  char* const segment = chunks_.back() + taken_bytes_;
  taken_bytes_ += segment_bytes_;
  return segment;
}

}  // namespace waybill::engine
