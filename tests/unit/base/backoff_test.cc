#include "base/backoff.h"

#include <gtest/gtest.h>

namespace waybill {
namespace {

TEST(RetryMs, GrowsToAMinute) {
  EXPECT_EQ(retry_ms_after(1), 1'000);
  EXPECT_EQ(retry_ms_after(2), 2'000);
  EXPECT_EQ(retry_ms_after(4), 8'000);
  EXPECT_EQ(retry_ms_after(7), 60'000);
  EXPECT_EQ(retry_ms_after(1'000'000), 60'000);
}

}  // namespace
}  // namespace waybill
