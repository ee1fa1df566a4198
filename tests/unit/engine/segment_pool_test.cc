#include "engine/segment_pool.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <fstream>
#include <set>
#include <thread>

namespace waybill::engine {
namespace {

std::size_t mapped_bytes() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

TEST(SegmentPoolTest, SegmentsAreApartAndCanBeWritten) {
  SegmentPool pool(SegmentPool::chunk_bytes / 4);
  std::set<char*> segments;
  for (int i = 0; i < 40; ++i) {
    char* const segment = pool.take();
    ASSERT_NE(segment, nullptr);
    EXPECT_TRUE(segments.insert(segment).second);
    std::memset(segment, i, pool.segment_bytes());
  }
  for (auto at = segments.begin(), next = std::next(at); next != segments.end(); at = next++) {
    EXPECT_GE(*next - *at, static_cast<std::ptrdiff_t>(pool.segment_bytes()));
  }
}

// Whoever takes faster than chunks are made ready, or slower, leaves none behind.
TEST(SegmentPoolTest, AllIsGivenBackInTheEnd) {
  const std::size_t before = mapped_bytes();
  {
    SegmentPool pool(SegmentPool::chunk_bytes);
    for (int i = 0; i < 150; ++i) {
      ASSERT_NE(pool.take(), nullptr);
      std::this_thread::sleep_for(std::chrono::microseconds(i % 5 == 0 ? 5'000 : 50));
    }
  }
  EXPECT_LT(mapped_bytes(), before + 8 * SegmentPool::chunk_bytes);
}

}  // namespace
}  // namespace waybill::engine
