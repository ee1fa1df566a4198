#include "media/crop.h"

#include <gtest/gtest.h>

namespace waybill::media {
namespace {

std::string text(Size size) {
  return std::to_string(size.width) + "x" + std::to_string(size.height);
}
std::string text(Ratio ratio) {
  return std::to_string(ratio.width) + ":" + std::to_string(ratio.height);
}

TEST(Crop, takes_the_largest_of_a_ratio) {
  EXPECT_EQ(text(largest_within({1000, 500}, {1, 1})), "500x500");
  EXPECT_EQ(text(largest_within({500, 1000}, {1, 1})), "500x500");
  EXPECT_EQ(text(largest_within({1600, 900}, {16, 9})), "1600x900");
  EXPECT_EQ(text(largest_within({1000, 1000}, {16, 9})), "1000x562");
  EXPECT_EQ(text(largest_within({5, 1}, {1, 100})), "1x1");
  EXPECT_EQ(text(largest_within({65'500, 65'500}, {100, 99})), "65500x64845");
}

TEST(Crop, finds_the_common_ratio_that_costs_least) {
  EXPECT_EQ(text(nearest_ratio({4000, 3000})), "4:3");
  EXPECT_EQ(text(nearest_ratio({3000, 4000})), "3:4");
  EXPECT_EQ(text(nearest_ratio({1920, 1080})), "16:9");
  EXPECT_EQ(text(nearest_ratio({1010, 1000})), "1:1");
  EXPECT_EQ(text(nearest_ratio({1480, 1000})), "3:2");
  EXPECT_EQ(text(nearest_ratio({5000, 1000})), "16:9");
  EXPECT_EQ(text(nearest_ratio({1, 1})), "1:1");
}

TEST(Crop, fits_sizes_into_a_square) {
  EXPECT_EQ(text(fit_within({640, 480}, 300)), "300x225");
  EXPECT_EQ(text(fit_within({480, 640}, 300)), "225x300");
  EXPECT_EQ(text(fit_within({300, 20}, 300)), "300x20");
  EXPECT_EQ(text(fit_within({65'500, 1}, 300)), "300x1");
}

TEST(Crop, has_names) {
  for (const auto crop : {Crop::none, Crop::borders, Crop::attention, Crop::centre}) {
    EXPECT_EQ(crop_named(name_of(crop)), crop);
  }
  EXPECT_EQ(crop_named("all"), std::nullopt);
  EXPECT_EQ(text(*ratio_named("16:9")), "16:9");
  for (const auto* wrong :
       {"", ":", "16", "16:", ":9", "16:9 ", "0:1", "1:101", "-1:1", "1.5:1", "a:b", "1:1:1"}) {
    EXPECT_FALSE(ratio_named(wrong)) << wrong;
  }
}

}  // namespace
}  // namespace waybill::media
