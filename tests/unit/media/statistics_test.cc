#include "media/statistics.h"

#include <gtest/gtest.h>

#include "media/samples.h"

namespace waybill::media {
namespace {

Pixels plain(Rgb colour) {
  return paint(30, 30, [colour](int, int) { return colour; });
}

Colour named(Rgb colour) {
  const uint8_t rgb[] = {colour.red, colour.green, colour.blue};
  return colour_of(rgb);
}

TEST(Statistics, know_colours_by_name) {
  EXPECT_EQ(named({0, 0, 0}), Colour::black);
  EXPECT_EQ(named({255, 255, 255}), Colour::white);
  EXPECT_EQ(named({128, 128, 128}), Colour::gray);
  EXPECT_EQ(named({220, 20, 20}), Colour::red);
  EXPECT_EQ(named({255, 140, 0}), Colour::orange);
  EXPECT_EQ(named({120, 70, 20}), Colour::brown);
  EXPECT_EQ(named({250, 240, 40}), Colour::yellow);
  EXPECT_EQ(named({30, 160, 40}), Colour::green);
  EXPECT_EQ(named({20, 220, 220}), Colour::cyan);
  EXPECT_EQ(named({40, 80, 220}), Colour::blue);
  EXPECT_EQ(named({120, 40, 220}), Colour::purple);
  EXPECT_EQ(named({250, 80, 180}), Colour::pink);
  EXPECT_EQ(named({250, 20, 30}), Colour::red) << "from the other side of the circle";
  EXPECT_EQ(name_of(Colour::pink), "pink");
}

TEST(Statistics, of_one_color_are_flat) {
  const auto seen = statistics_of(plain({40, 80, 220}));
  EXPECT_EQ(seen.share(Colour::blue), 1);
  EXPECT_EQ(seen.contrast, 0);
  EXPECT_EQ(seen.range, 0);
  EXPECT_EQ(seen.edges, 0);
  EXPECT_EQ(seen.flatness, 1);
  EXPECT_NEAR(seen.chroma, 180.0 / 255, 1e-9);
  EXPECT_NEAR(seen.brightness, (0.299 * 40 + 0.587 * 80 + 0.114 * 220) / 255, 1e-9);
}

TEST(Statistics, of_black_beside_white_have_all_contrast) {
  const auto seen =
      statistics_of(paint(32, 32, [](int x, int) { return x < 16 ? Rgb{} : Rgb{255, 255, 255}; }));
  EXPECT_NEAR(seen.contrast, 1, 1e-9);
  EXPECT_NEAR(seen.range, 1, 1e-9);
  EXPECT_NEAR(seen.brightness, 0.5, 1e-9);
  EXPECT_EQ(seen.chroma, 0);
  EXPECT_EQ(seen.colourfulness, 0);
  EXPECT_NEAR(seen.edges, 2.0 / 30, 1e-9) << "the two columns at the border";
}

TEST(Statistics, tell_noise_from_slopes) {
  const auto rough =
      statistics_of(paint(64, 64, [](int x, int y) { return Rgb{noise(x, y), noise(x, y), noise(x, y)}; }));
  const auto smooth = statistics_of(paint(64, 64, [](int x, int) {
    const auto gray = static_cast<uint8_t>(x * 4);
    return Rgb{gray, gray, gray};
  }));
  EXPECT_GT(rough.edges, 0.8);
  EXPECT_EQ(smooth.edges, 0);
  EXPECT_GT(rough.sharpness, 20 * smooth.sharpness);
}

TEST(Statistics, see_skin_blood_sky_and_grass_where_they_are) {
  EXPECT_EQ(statistics_of(plain({224, 172, 140})).skin, 1);
  EXPECT_EQ(statistics_of(plain({40, 80, 220})).skin, 0);
  EXPECT_EQ(statistics_of(plain({140, 10, 12})).blood, 1);
  EXPECT_EQ(statistics_of(plain({224, 172, 140})).blood, 0);
  const auto outside =
      statistics_of(paint(30, 30, [](int, int y) { return y < 10 ? Rgb{120, 180, 240} : Rgb{60, 140, 50}; }));
  EXPECT_EQ(outside.sky, 1);
  EXPECT_EQ(outside.vegetation, 1);
  const auto upside_down = statistics_of(
      paint(30, 30, [](int, int y) { return y >= 10 ? Rgb{120, 180, 240} : Rgb{60, 140, 50}; }));
  EXPECT_EQ(upside_down.sky, 0);
  EXPECT_EQ(upside_down.vegetation, 0);
}

TEST(Statistics, are_numbers_for_the_smallest_pictures_too) {
  for (const auto& [width, height] : {std::pair(1, 1), std::pair(2, 1), std::pair(1, 300), std::pair(3, 3)}) {
    const auto seen = statistics_of(photo(width, height));
    for (const double number : {seen.brightness, seen.contrast, seen.range, seen.chroma, seen.edges,
                                seen.sharpness, seen.flatness, seen.variety, seen.sky, seen.vegetation}) {
      EXPECT_GE(number, 0);
      EXPECT_LE(number, 1);
    }
  }
}

}  // namespace
}  // namespace waybill::media
