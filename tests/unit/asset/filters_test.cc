#include "asset/filters.h"

#include <gtest/gtest.h>

#include <cmath>

#include "asset/dice.h"
#include "asset/png_reader.h"
#include "asset/png_writer.h"
#include "asset/stages.h"

namespace waybill::asset {
namespace {

Canvas filled(int width, int height, Canvas::Pixel pixel) {
  Canvas canvas(width, height);
  std::fill(canvas.pixels.begin(), canvas.pixels.end(), pixel);
  return canvas;
}

TEST(Filters, LeaveAnEvenPictureAsItIs) {
  const Canvas::Pixel grey = {0.5F, 0.25F, 0.125F, 1};
  const Canvas canvas = filled(31, 17, grey);
  for (const Canvas& result :
       {resampled(canvas, 62, 34), resampled(canvas, 7, 90), denoised(canvas, 1), sharpened(canvas, 2)}) {
    for (const auto& pixel : result.pixels) {
      for (std::size_t c = 0; c < 4; ++c) {
        EXPECT_NEAR(pixel[c], grey[c], 1e-5F);
      }
    }
  }
  EXPECT_NEAR(noise_of(canvas), 0, 1e-6);
}

TEST(Filters, EnlargeAWaveToTheSameWave) {
  Canvas wave(64, 4);
  const auto height = [](double x) { return static_cast<float>(0.5 + 0.4 * std::sin(x * 0.4)); };
  for (int y = 0; y < wave.height; ++y) {
    for (int x = 0; x < wave.width; ++x) {
      wave.row(y)[x] = {height(x), 0, 0, 1};
    }
  }
  const Canvas larger = resampled(wave, 128, 8);
  for (int x = 16; x < 112; ++x) {
    EXPECT_NEAR(larger.row(4)[x][0], height((x + 0.5) / 2 - 0.5), 0.01F);
  }
}

TEST(Filters, TakeNoiseAwayAndLeaveEdges) {
  Canvas canvas(64, 64);
  Dice dice("noise", 1);
  for (int y = 0; y < 64; ++y) {
    for (int x = 0; x < 64; ++x) {
      const float value = (x < 32 ? 0.3F : 0.7F) + dice.between(-0.02F, 0.02F);
      canvas.row(y)[x] = {value, value, value, 1};
    }
  }
  const Canvas quiet = denoised(canvas, 0.5F);
  double before = 0;
  double after = 0;
  for (int y = 0; y < 64; ++y) {
    for (int x = 0; x < 64; ++x) {
      const double truth = x < 32 ? 0.3 : 0.7;
      before += std::pow(static_cast<double>(canvas.row(y)[x][0]) - truth, 2);
      after += std::pow(static_cast<double>(quiet.row(y)[x][0]) - truth, 2);
    }
  }
  EXPECT_LT(after, before / 3);
  EXPECT_NEAR(quiet.row(30)[31][0], 0.3F, 0.02F);
  EXPECT_NEAR(quiet.row(30)[32][0], 0.7F, 0.02F);
}

TEST(Filters, UseTheWholeRangeOfBrightness) {
  Canvas canvas(100, 1);
  for (int x = 0; x < 100; ++x) {
    const float value = 0.2F + 0.005F * static_cast<float>(x);
    canvas.row(0)[x] = {value, value, value, 1};
  }
  EXPECT_GT(stretch_levels(canvas), 1.2F);
  EXPECT_LT(canvas.row(0)[0][0], 0.17F);
  EXPECT_GT(canvas.row(0)[99][0], 0.85F);
  Canvas nothing = filled(4, 4, {0, 0, 0, 0});
  EXPECT_EQ(stretch_levels(nothing), 1);
}

TEST(Filters, KeepTransparentPlacesTransparent) {
  Canvas canvas(16, 16);
  canvas.row(8)[8] = {1, 1, 1, 1};
  const Canvas result = sharpened(resampled(denoised(canvas, 1), 64, 64), 2);
  EXPECT_EQ(result.row(0)[0][3], 0);
  for (const auto& pixel : result.pixels) {
    EXPECT_GE(pixel[3], 0);
    EXPECT_LE(pixel[0], pixel[3] + 1e-6F);
  }
}

Result<Made> refined(const Image& image, std::string_view parameters) {
  Request request;
  request.parameters = *Parameters::read(parameters);
  request.sources.push_back({"", "a.png", "image/png", write_png(image), "", {}});
  return refine(request);
}

TEST(Refine, ScalesByWhatIsAsked) {
  for (const int scale : {1, 2, 3, 4}) {
    const auto made = refined(Image(20, 10), "{\"scale\": " + std::to_string(scale) + "}");
    ASSERT_TRUE(made) << made.error().message;
    const auto image = read_png(made->bytes);
    ASSERT_TRUE(image);
    EXPECT_EQ(image->width, 20 * scale);
    EXPECT_EQ(image->height, 10 * scale);
  }
}

TEST(Refine, RefusesWhatWouldBecomeTooLarge) {
  const auto made = refined(Image(2000, 2000), "");
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().kind, ErrorKind::too_large);
  EXPECT_EQ(made.error().message,
            "a picture of 2000 x 2000 pixels is too large to be made 2 times as wide and high; use a smaller "
            "scale");
}

}  // namespace
}  // namespace waybill::asset
