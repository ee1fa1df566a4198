#include "usage/minute.h"

#include <gtest/gtest.h>

#include <limits>

namespace waybill::usage {
namespace {

TEST(Minute, ComesBackFromItsBytes) {
  const Minute minute{{3, 1, 3}, {std::numeric_limits<uint64_t>::max(), 128, 127}};
  EXPECT_EQ(decode(encode(minute)), minute);
  EXPECT_EQ(decode(encode(Minute())), Minute());
}

TEST(Minute, DamagedBytesAreNoMinute) {
  const std::string whole = encode(Minute{{3, 1, 3}, {300, 2, 200}});
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_EQ(decode(std::string_view(whole).substr(0, length)), std::nullopt) << length;
  }
  EXPECT_EQ(decode(whole + '\0'), std::nullopt);
  EXPECT_EQ(decode('\x02' + whole.substr(1)), std::nullopt);
  EXPECT_EQ(decode('\x01' + std::string(70, '\xff')), std::nullopt);
}

TEST(Minute, PartsOfAMinuteAddUpAndKeepTheLargerPeak) {
  const Minute a{{10, 2, 6}, {4, 1, 4}};
  const Minute b{{5, 1, 5}, {8, 3, 8}};
  EXPECT_EQ(merged(a, b), (Minute{{15, 3, 6}, {12, 4, 8}}));
}

TEST(Minute, IsKeptForTheRecoveryWindow) {
  EXPECT_EQ(days_kept({}), 35);
  EXPECT_EQ(days_kept({true, 7, 0}), 7);
  EXPECT_EQ(days_kept({false, 7, 0}), 35);
}

TEST(Units, AreCountedInHalves) {
  EXPECT_EQ(in_halves(0.5), 1U);
  EXPECT_EQ(in_halves(12.5), 25U);
  EXPECT_EQ(in_units(25), 12.5);
}

}  // namespace
}  // namespace waybill::usage
