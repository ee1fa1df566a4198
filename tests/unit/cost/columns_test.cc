#include "cost/columns.h"

#include <gtest/gtest.h>

namespace waybill::cost {
namespace {

TEST(Columns, TextsStandLeftAndNumbersRight) {
  EXPECT_EQ(in_columns({{"", "units"}, {"a longer name", "5"}, {"b", "1,000"}}, 1),
            "                 units\n  a longer name      5\n  b              1,000\n");
}

TEST(Columns, NumbersHaveGroups) {
  EXPECT_EQ(grouped(0, 0), "0");
  EXPECT_EQ(grouped(999.95, 1), "1,000.0");
  EXPECT_EQ(grouped(1234567, 2), "1,234,567.00");
  EXPECT_EQ(grouped(-1234, 0), "-1,234");
  EXPECT_EQ(grouped(-123, 0), "-123");
}

TEST(Columns, MoneyIsNeverNothingByRounding) {
  EXPECT_EQ(money(0), "0.00");
  EXPECT_EQ(money(0.004), "< 0.01");
  EXPECT_EQ(money(1234.5), "1,234.50");
}

TEST(Columns, TimesAndSizesInWords) {
  EXPECT_EQ(utc_minute(0), "1970-01-01 00:00");
  EXPECT_EQ(utc_minute(29'000'000), "2025-02-19 21:20");
  EXPECT_EQ(duration(1), "1 min");
  EXPECT_EQ(duration(60), "1 h");
  EXPECT_EQ(duration(61), "1 h 1 min");
  EXPECT_EQ(duration(24 * 60 + 61), "1 d 1 h");
  EXPECT_EQ(in_bytes(1023), "1023 bytes");
  EXPECT_EQ(in_bytes(1536), "1.50 KB");
  EXPECT_EQ(in_bytes(3LL << 40), "3,072.0 GB");
}

}  // namespace
}  // namespace waybill::cost
