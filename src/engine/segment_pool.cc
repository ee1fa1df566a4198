#include "engine/segment_pool.h"

#include <sys/mman.h>

#include <cstdint>
#include <utility>

#include "base/thread_name.h"

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

// Whatever is not touched here is when it is first used.
void touch(char* chunk) {
#ifdef MADV_POPULATE_WRITE
  madvise(chunk, SegmentPool::chunk_bytes, MADV_POPULATE_WRITE);
#else
  *static_cast<volatile char*>(chunk) = 0;
#endif
}

}  // namespace

SegmentPool::SegmentPool(std::size_t segment_bytes)
    : segment_bytes_(segment_bytes), thread_([this] { run(); }) {}

SegmentPool::~SegmentPool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_one();
  thread_.join();
  if (ready_ != nullptr) {
    munmap(ready_, chunk_bytes);
  }
  for (char* chunk : chunks_) {
    munmap(chunk, chunk_bytes);
  }
}

void SegmentPool::run() {
  name_this_thread("cache");
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stopping_ || (wants_next_ && ready_ == nullptr); });
    if (stopping_) {
      return;
    }
    wants_next_ = false;
    lock.unlock();
    char* const chunk = map_chunk();
    if (chunk != nullptr) {
      touch(chunk);
    }
    lock.lock();
    ready_ = chunk;
  }
}

// The next chunk is asked for when the last one is begun: until that is used up there is time.
char* SegmentPool::take() {
  const std::lock_guard lock(mutex_);
  if (taken_bytes_ == chunk_bytes) {
    char* const chunk = ready_ != nullptr ? std::exchange(ready_, nullptr) : map_chunk();
    if (chunk == nullptr) {
      return nullptr;
    }
    chunks_.push_back(chunk);
    taken_bytes_ = 0;
    wants_next_ = true;
    changed_.notify_one();
  }
  char* const segment = chunks_.back() + taken_bytes_;
  taken_bytes_ += segment_bytes_;
  return segment;
}

}  // namespace waybill::engine
