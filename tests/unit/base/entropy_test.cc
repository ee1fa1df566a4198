#include "base/entropy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace waybill {
namespace {

TEST(EntropyTest, FillsAllOfWhatIsAskedForAndNothingElse) {
  SystemEntropy entropy;
  for (const std::size_t count : {0, 1, 7, 52, 4095, 4096, 4097, 20'000}) {
    std::string bytes(count + 2, 'x');
    entropy.fill(bytes.data() + 1, count);
    EXPECT_EQ(bytes.front(), 'x');
    EXPECT_EQ(bytes.back(), 'x');
    if (count >= 4095) {
      // Zeros or repetitions would show that bytes were handed out twice or not at all.
      EXPECT_LT(std::count(bytes.begin(), bytes.end(), '\0'), static_cast<long>(count / 64));
    }
  }
}

TEST(EntropyTest, NoTwoRequestIdsAreTheSame) {
  SystemEntropy entropy;
  std::set<std::string> seen;
  std::set<char> characters;
  for (int i = 0; i < 2000; ++i) {
    const std::string id = make_request_id(entropy);
    ASSERT_EQ(id.size(), 52U);
    characters.insert(id.begin(), id.end());
    EXPECT_TRUE(seen.insert(id).second);
  }
  EXPECT_EQ(std::string(characters.begin(), characters.end()), "012345ABCDEFGHIJKLMNOPQRSTUVWXYZ");
}

// The bytes 0, 1, 2 … in turn.
class CountingEntropy final : public Entropy {
 public:
  void fill(void* bytes, std::size_t count) override {
    std::generate_n(static_cast<unsigned char*>(bytes), count, [this] { return next_++; });
  }

 private:
  unsigned char next_ = 0;
};

TEST(EntropyTest, ARequestIdTakesOneByteForEachCharacter) {
  CountingEntropy entropy;
  EXPECT_EQ(make_request_id(entropy), "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345ABCDEFGHIJKLMNOPQRST");
  EXPECT_EQ(make_request_id(entropy).front(), 'U');
}

}  // namespace
}  // namespace waybill
