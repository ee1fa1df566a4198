#include "base/ulid.h"

#include <gtest/gtest.h>

#include <cstring>

namespace waybill {
namespace {

class FixedEntropy final : public Entropy {
 public:
  explicit FixedEntropy(unsigned char byte) : byte_(byte) {}
  void fill(void* bytes, std::size_t count) override { std::memset(bytes, byte_, count); }

 private:
  const unsigned char byte_;
};

TEST(Ulid, IsTimeAndChanceInBase32) {
  FixedEntropy zero(0);
  UlidMaker maker(zero);
  // The example of the specification.
  EXPECT_EQ(maker.make(1469918176385), "01ARYZ6S410000000000000000");
  EXPECT_EQ(maker.make((int64_t{1} << 48) - 1), "7ZZZZZZZZZ0000000000000000");
}

TEST(Ulid, I6_RisesWithinOneMillisecondAndWhereTheClockGoesBack) {
  SystemEntropy entropy;
  UlidMaker maker(entropy);
  std::string last = maker.make(1'800'000'000'000);
  for (int i = 0; i < 10'000; ++i) {
    const std::string next = maker.make(1'800'000'000'000 - i % 3);
    ASSERT_EQ(next.size(), 26U);
    ASSERT_LT(last, next);
    last = next;
  }
  EXPECT_LT(last, maker.make(1'800'000'000'001));
}

TEST(Ulid, CountsOverWholeBytes) {
  FixedEntropy ones(0xff);
  UlidMaker maker(ones);
  const std::string first = maker.make(1);
  const std::string second = maker.make(1);
  EXPECT_EQ(first, "0000000001FZZZZZZZZZZZZZZZ");
  EXPECT_EQ(second, "0000000001G000000000000000");
}

}  // namespace
}  // namespace waybill
