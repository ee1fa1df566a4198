#include "base/iso_time.h"

#include <gtest/gtest.h>

namespace waybill {
namespace {

TEST(IsoTime, is_written_with_milliseconds_in_utc) {
  EXPECT_EQ(iso_time(0), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(iso_time(1'800'000'000'123), "2027-01-15T08:00:00.123Z");
  EXPECT_EQ(iso_time(-1), "1969-12-31T23:59:59.999Z");
}

TEST(IsoTime, is_read_with_and_without_parts_of_a_second) {
  EXPECT_EQ(parse_iso_time("2027-01-15T08:00:00Z"), 1'800'000'000'000);
  EXPECT_EQ(parse_iso_time("2027-01-15T08:00:00.1Z"), 1'800'000'000'100);
  EXPECT_EQ(parse_iso_time("2027-01-15T08:00:00.123456Z"), 1'800'000'000'123);
  EXPECT_EQ(parse_iso_time("2027-01-15T09:30:00+01:30"), 1'800'000'000'000);
  EXPECT_EQ(parse_iso_time("2024-02-29T00:00:00Z").has_value(), true);
}

TEST(IsoTime, anything_else_is_none) {
  for (const auto* text :
       {"", "2027-01-15", "2027-01-15T08:00:00", "2027-02-29T00:00:00Z", "2027-1-15T08:00:00Z",
        "2027-01-15T24:00:00Z", "2027-01-15T08:00:00.Z", "2027-01-15T08:00:00Zx", "now"}) {
    EXPECT_EQ(parse_iso_time(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace waybill
