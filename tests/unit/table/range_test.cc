#include "table/range.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <random>

#include "item/value.h"
#include "table/key.h"

namespace waybill::table {
namespace {

using expression::KeyCondition;
using expression::SortOperator;

constexpr SortOperator operators[] = {
    SortOperator::none,          SortOperator::equal,       SortOperator::less,
    SortOperator::less_or_equal, SortOperator::greater,     SortOperator::greater_or_equal,
    SortOperator::between,       SortOperator::begins_with,
};

std::string text(std::string_view bytes) {
  std::string out;
  item::append_scalar(out, item::Type::string, bytes);
  return out;
}

std::string random_bytes(std::mt19937_64& random, std::size_t least) {
  std::string bytes;
  for (std::size_t i = least + random() % 3; i > 0; --i) {
    bytes.push_back("\x00\x01\x61\xff"[random() % 4]);
  }
  return bytes;
}

bool matches(const KeyCondition& condition, const std::string& partition, const std::string& sort) {
  if (condition.partition != text(partition)) {
    return false;
  }
  const std::string low(condition.op == SortOperator::none ? "" : condition.low_value().bytes());
  switch (condition.op) {
    case SortOperator::none:
      return true;
    case SortOperator::equal:
      return sort == low;
    case SortOperator::less:
      return sort < low;
    case SortOperator::less_or_equal:
      return sort <= low;
    case SortOperator::greater:
      return sort > low;
    case SortOperator::greater_or_equal:
      return sort >= low;
    case SortOperator::between:
      return sort >= low && sort <= condition.high_value().bytes();
    case SortOperator::begins_with:
      return sort.starts_with(low);
  }
  return false;
}

// Against the plain meaning of the operators, with zeros and 0xff in every place, as table keys and as
// entries of an index that have a primary key behind them.
TEST(RangeTest, HoldsExactlyWhatTheConditionAsksFor) {
  const uint64_t seed = std::random_device{}();
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  std::mt19937_64 random(seed);
  for (int i = 0; i < 50'000; ++i) {
    KeyCondition condition;
    condition.op = operators[random() % std::size(operators)];
    condition.partition = text(random_bytes(random, 1));
    condition.low = text(random_bytes(random, 0));
    condition.high = text(random_bytes(random, 0));
    const std::string partition =
        random() % 4 == 0 ? random_bytes(random, 1) : std::string(condition.partition_value().bytes());
    const std::string sort = random_bytes(random, 0);
    const std::string encoded_partition = text(partition);
    const std::string encoded_sort = text(sort);
    std::string key;
    append_partition(key, item::ValueView(encoded_partition.data()));
    append_sort(key, item::ValueView(encoded_sort.data()));
    if (random() % 2 == 0) {
      key.append(random_bytes(random, 1));
    }
    ASSERT_EQ(range_of(condition).holds(key), matches(condition, partition, sort));
  }
}

TEST(RangeTest, ResumesBehindAKeyInBothDirections) {
  KeyRange range{"a", "z"};
  range.resume_after("m", true);
  EXPECT_FALSE(range.holds("m"));
  EXPECT_TRUE(range.holds("ma"));
  KeyRange backward{"a", "z"};
  backward.resume_after("m", false);
  EXPECT_FALSE(backward.holds("m"));
  EXPECT_TRUE(backward.holds("lz"));
}

TEST(RangeTest, SegmentsShareOutAllKeys) {
  std::mt19937_64 random(1);
  for (const uint32_t total : {1U, 2U, 7U, 1'000'000U}) {
    for (int i = 0; i < 50; ++i) {
      const std::string encoded = text(random_bytes(random, 1));
      std::string key;
      append_partition(key, item::ValueView(encoded.data()));
      int held = 0;
      const uint32_t step = total > 100 ? total / 100 : 1;
      for (uint32_t segment = 0; segment < total; segment += step) {
        // A run of neighbouring segments is one range.
        const uint32_t last = std::min(segment + step, total) - 1;
        const KeyRange range{range_of_segment(segment, total).begin, range_of_segment(last, total).end};
        held += range.holds(key) ? 1 : 0;
      }
      ASSERT_EQ(held, 1);
    }
  }
}

}  // namespace
}  // namespace waybill::table
