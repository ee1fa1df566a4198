#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

namespace waybill::engine {

// Memory in segments of one size, which are given out and never taken back before the end. It comes from the
// system 2 MiB at a time, as one huge page where the system has them: a cache of some gigabytes is read at
// random, and with ordinary pages most reads would wait for the page tables first. The next 2 MiB are made
// ready by a thread of the pool's own: the system empties a page when it is first touched, which takes as
// long as many a write.
//
// Thread safety: every method may be called from any thread.
class SegmentPool {
 public:
  static constexpr std::size_t chunk_bytes = 2UL << 20;

  // `segment_bytes` divides chunk_bytes.
  explicit SegmentPool(std::size_t segment_bytes);
  ~SegmentPool();
  SegmentPool(const SegmentPool&) = delete;
  SegmentPool& operator=(const SegmentPool&) = delete;

  std::size_t segment_bytes() const { return segment_bytes_; }

  // nullptr where the system has no more.
  char* take();

 private:
  void run();

  const std::size_t segment_bytes_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::vector<char*> chunks_;
  std::size_t taken_bytes_ = chunk_bytes;  // of the last chunk
  char* ready_ = nullptr;                  // the next chunk
  bool wants_next_ = false;
  bool stopping_ = false;

  std::thread thread_;
};

}  // namespace waybill::engine
