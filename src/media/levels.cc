#include "media/levels.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace waybill::media {

namespace {

constexpr double white = 255;
constexpr double scale_max = 4;
constexpr double clipped_share = 0.005;

using Histogram = std::array<std::size_t, 256>;

Histogram histogram_of(const Pixels& pixels) {
  Histogram histogram{};
  for (std::size_t i = 0; i + 2 < pixels.rgb.size(); i += 3) {
    ++histogram[static_cast<std::size_t>(std::lround(luma(&pixels.rgb[i])))];
  }
  return histogram;
}

// The first brightness at which more than `count` pixels are as dark or darker.
std::size_t brightness_above(const Histogram& histogram, std::size_t count) {
  std::size_t seen = 0;
  for (std::size_t brightness = 0; brightness < histogram.size(); ++brightness) {
    seen += histogram[brightness];
    if (seen > count) {
      return brightness;
    }
  }
  return histogram.size() - 1;
}

}  // namespace

Levels auto_levels(const Pixels& pixels) {
  const std::size_t count = pixels.rgb.size() / 3;
  if (count == 0) {
    return {};
  }
  const auto histogram = histogram_of(pixels);
  const auto clipped = static_cast<std::size_t>(clipped_share * static_cast<double>(count));
  const auto dark = static_cast<double>(brightness_above(histogram, clipped));
  const auto bright = static_cast<double>(brightness_above(histogram, count - clipped - 1));
  if (bright <= dark) {
    return {};
  }
  const double scale = white / (bright - dark);
  if (scale <= scale_max) {
    return {scale, -dark * scale};
  }
  const double middle = (dark + bright) / 2;
  return {scale_max, middle * (1 - scale_max)};
}

}  // namespace waybill::media
