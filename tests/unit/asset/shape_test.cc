// From a picture to a closed surface.
#include <cmath>

#include "asset/closed.h"
#include "asset/dice.h"
#include "asset/png_writer.h"
#include "asset/relief.h"
#include "asset/silhouette.h"
#include "asset/stages.h"
#include "asset/surface.h"
#include "asset/texture.h"

namespace waybill::asset {
namespace {

Image drawn(int width, int height, const auto& is_inside) {
  Image image(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      uint8_t* const pixel = image.at(x, y);
      pixel[0] = static_cast<uint8_t>(x);
      pixel[1] = static_cast<uint8_t>(y);
      pixel[3] = is_inside(x, y) ? 255 : 0;
    }
  }
  return image;
}

TEST(Shape, MakesABallOfADisc) {
  const Image disc = drawn(200, 200, [](int x, int y) { return std::hypot(x - 99.5, y - 99.5) < 80; });
  const auto relief = relief_of(disc, {.detail = 96, .relief = 0});
  ASSERT_TRUE(relief) << relief.error().message;
  const Mesh mesh = close_surface(*relief, 2);
  expect_closed(mesh);
  const Bounds bounds = bounds_of(mesh.positions);
  EXPECT_NEAR(bounds.most.y - bounds.least.y, 2, 1e-5F);
  EXPECT_NEAR(bounds.least.y, 0, 1e-5F);
  EXPECT_NEAR(bounds.most.x, 1, 0.02F);
  EXPECT_NEAR(bounds.most.z, 1, 0.05F);
  EXPECT_NEAR(bounds.least.z, -1, 0.05F);
  EXPECT_NEAR(flaws_of(mesh).volume, 4.0 / 3 * 3.14159, 0.15);
  // Normals point away from the middle.
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    EXPECT_GT(dot(unit(mesh.positions[i] - Vec3{0, 1, 0}), mesh.normals[i]), 0.8F);
  }
}

TEST(Shape, IsClosedForWhateverIsDrawn) {
  for (int64_t seed = 0; seed < 40; ++seed) {
    Dice dice("blots", seed);
    const auto salt = static_cast<uint32_t>(dice.next());
    const float grain = dice.between(4, 30);
    const float level = dice.between(0.35F, 0.65F);
    const Image blots = drawn(90, 70, [&](int x, int y) {
      return rough_noise(static_cast<float>(x) / grain, static_cast<float>(y) / grain, salt) > level;
    });
    const auto relief = relief_of(blots, {.detail = 32 + dice.below(120)});
    if (relief) {
      const Mesh mesh = close_surface(*relief, 1);
      expect_closed(mesh);
      for (const auto& place : mesh.texture_places) {
        EXPECT_TRUE(place.x > 0 && place.x < 1 && place.y > 0 && place.y < 1);
      }
    }
  }
}

TEST(Shape, ReachesToTheEdgeOfThePicture) {
  const Image full = drawn(50, 30, [](int x, int) { return x != 25; });
  const auto relief = relief_of(full, {});
  ASSERT_TRUE(relief);
  expect_closed(close_surface(*relief, 1));
}

TEST(Shape, OfAThinLineIsMadeOrRefused) {
  const Image line = drawn(200, 200, [](int x, int y) { return x == y; });
  const auto relief = relief_of(line, {.detail = 64});
  if (relief) {
    expect_closed(close_surface(*relief, 1));
  }
}

TEST(Shape, OfNothingIsRefused) {
  const auto nothing = relief_of(Image(40, 40), {});
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().message, "the picture shows nothing: it is transparent, or of one colour");
  // Specks, far apart.
  const Image specks = drawn(400, 400, [](int x, int y) { return x % 100 == 50 && y % 100 == 50; });
  const auto dust = relief_of(specks, {.detail = 64});
  ASSERT_FALSE(dust);
  EXPECT_EQ(dust.error().message, "the picture shows nothing large enough to be given a shape");
}

TEST(Shape, FindsTheThingOnAnOpaqueGround) {
  Image image(60, 60);
  for (int y = 0; y < 60; ++y) {
    for (int x = 0; x < 60; ++x) {
      const bool is_thing = x > 15 && x < 40 && y > 10 && y < 50;
      const uint8_t colour[4] = {static_cast<uint8_t>(is_thing ? 200 : 240), 40, 40, 255};
      std::copy_n(colour, 4, image.at(x, y));
      image.at(x, y)[1] = is_thing ? 40 : 240;
    }
  }
  cut_out(image);
  EXPECT_EQ(image.at(0, 0)[3], 0);
  EXPECT_EQ(image.at(30, 30)[3], 255);
  Image transparent(2, 1);
  transparent.at(0, 0)[3] = 200;
  cut_out(transparent);
  EXPECT_EQ(transparent.at(0, 0)[3], 200);
}

TEST(Shape, HasATextureWithoutHoles) {
  const Image disc = drawn(100, 100, [](int x, int y) { return std::hypot(x - 50, y - 50) < 30; });
  const auto relief = relief_of(disc, {.detail = 48});
  ASSERT_TRUE(relief);
  const Image texture = paint_texture(disc, *relief, 64);
  EXPECT_EQ(texture.width, 128);
  EXPECT_EQ(texture.height, 64);
  for (std::size_t i = 3; i < texture.rgba.size(); i += 4) {
    EXPECT_EQ(texture.rgba[i], 255);
  }
  // The middle of the front is the middle of the picture.
  EXPECT_NEAR(texture.at(32, 32)[0], 50, 4);
  EXPECT_NEAR(texture.at(32, 32)[1], 50, 4);
}

TEST(Shape, OfAPictureOfOneColourIsRefused) {
  Image grey(32, 32);
  std::fill(grey.rgba.begin(), grey.rgba.end(), 255);
  Request request;
  request.sources.push_back({"", "a.png", "image/png", write_png(grey), "", {}});
  const auto made = shape(request);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message, "the picture shows nothing: it is transparent, or of one colour");
}

}  // namespace
}  // namespace waybill::asset
