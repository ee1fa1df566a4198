#include "object/byte_range.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace waybill::object {
namespace {

RangeDecision part(uint64_t first, uint64_t length) {
  return {RangeKind::part, {first, length}};
}

TEST(ByteRange, TheThreeForms) {
  EXPECT_EQ(decide_range("bytes=0-0", 10), part(0, 1));
  EXPECT_EQ(decide_range("bytes=2-5", 10), part(2, 4));
  EXPECT_EQ(decide_range("bytes=2-", 10), part(2, 8));
  EXPECT_EQ(decide_range("bytes=-3", 10), part(7, 3));
  EXPECT_EQ(decide_range("bytes=0-99", 10), part(0, 10));
  EXPECT_EQ(decide_range("bytes=-99", 10), part(0, 10));
  EXPECT_EQ(decide_range(" Bytes= 9-9 ", 10), part(9, 1));
}

TEST(ByteRange, NothingThere) {
  for (const auto header : {"bytes=10-", "bytes=10-20", "bytes=-0", "bytes=99999999999999999999999-"}) {
    EXPECT_EQ(decide_range(header, 10).kind, RangeKind::unsatisfiable) << header;
  }
  for (const auto header : {"bytes=0-", "bytes=0-0", "bytes=-1"}) {
    EXPECT_EQ(decide_range(header, 0).kind, RangeKind::unsatisfiable) << header;
  }
}

TEST(ByteRange, WhatIsNoRangeIsPassedOver) {
  const RangeDecision whole{RangeKind::whole, {0, 10}};
  for (const auto header :
       {"", "bytes", "bytes=", "bytes=-", "bytes=5-2", "bytes=a-b", "bytes=1-2,4-5", "bytes=+1-2",
        "lines=1-2", "bytes 1-2", "bytes=1--2", "bytes=--1", "bytes=0x1-2", "bytes=1 - 2"}) {
    EXPECT_EQ(decide_range(header, 10), whole) << header;
  }
}

TEST(ByteRange, LargeNumbers) {
  const uint64_t large = 5ULL << 40;
  EXPECT_EQ(decide_range("bytes=5497558138879-", large), part(large - 1, 1));
  EXPECT_EQ(decide_range("bytes=1-18446744073709551615", large), part(1, large - 1));
  EXPECT_EQ(decide_range("bytes=1-99999999999999999999999999", large), part(1, large - 1));
  EXPECT_EQ(decide_range("bytes=-18446744073709551616", large), part(0, large));
}

// Against a walk over every byte.
TEST(ByteRange, Property) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 20'000; ++round) {
    const uint64_t size = random() % 12;
    const uint64_t first = random() % 15;
    const uint64_t last = random() % 15;
    const auto form = random() % 3;
    const std::string header = form == 0   ? "bytes=" + std::to_string(first) + "-" + std::to_string(last)
                               : form == 1 ? "bytes=" + std::to_string(first) + "-"
                                           : "bytes=-" + std::to_string(last);
    const auto decision = decide_range(header, size);
    if (form == 0 && last < first) {
      ASSERT_EQ(decision.kind, RangeKind::whole);
      continue;
    }
    std::string expected;
    std::string given;
    for (uint64_t at = 0; at < size; ++at) {
      const bool is_in = form == 2 ? at + last >= size : at >= first && (form == 1 || at <= last);
      expected += is_in ? 'x' : '.';
      given += at >= decision.range.first && at < decision.range.first + decision.range.length ? 'x' : '.';
    }
    ASSERT_EQ(given, expected) << header << " of " << size;
    ASSERT_EQ(decision.kind,
              expected.find('x') == std::string::npos ? RangeKind::unsatisfiable : RangeKind::part);
  }
}

TEST(ByteRange, OfCopiesIsStrict) {
  EXPECT_EQ(*read_copy_range("bytes=0-9", 10), (ByteRange{0, 10}));
  for (const auto header : {"bytes=0-10", "bytes=5-", "bytes=-5", "0-5", "bytes=3-1", ""}) {
    EXPECT_EQ(read_copy_range(header, 10).error().kind, ErrorKind::invalid) << header;
  }
}

}  // namespace
}  // namespace waybill::object
