#include "media/levels.h"

#include <gtest/gtest.h>

#include "media/samples.h"

namespace waybill::media {
namespace {

Pixels ramp(int from, int to) {
  return paint(256, 16, [&](int x, int) {
    const auto gray = static_cast<uint8_t>(from + (to - from) * x / 255);
    return Rgb{gray, gray, gray};
  });
}

double applied(const Levels& levels, double value) {
  return levels.scale * value + levels.offset;
}

TEST(Levels, spread_what_there_is_over_the_whole_range) {
  const auto levels = auto_levels(ramp(50, 178));
  EXPECT_NEAR(applied(levels, 50), 0, 3);
  EXPECT_NEAR(applied(levels, 178), 255, 3);
}

TEST(Levels, leave_a_full_range_alone) {
  const auto levels = auto_levels(ramp(0, 255));
  EXPECT_NEAR(levels.scale, 1, 0.03);
  EXPECT_NEAR(levels.offset, 0, 3);
}

TEST(Levels, do_not_care_for_a_few_extremes) {
  auto pixels = ramp(50, 178);
  pixels.rgb[0] = pixels.rgb[1] = pixels.rgb[2] = 0;
  pixels.rgb[3] = pixels.rgb[4] = pixels.rgb[5] = 255;
  EXPECT_NEAR(applied(auto_levels(pixels), 50), 0, 3);
}

TEST(Levels, spread_fog_by_four_around_its_middle) {
  const auto levels = auto_levels(ramp(120, 130));
  EXPECT_EQ(levels.scale, 4);
  EXPECT_NEAR(applied(levels, 125), 125, 2);
}

TEST(Levels, change_nothing_where_there_is_one_brightness_or_nothing) {
  EXPECT_TRUE(auto_levels(ramp(90, 90)).change_nothing());
  EXPECT_TRUE(auto_levels({}).change_nothing());
}

}  // namespace
}  // namespace waybill::media
