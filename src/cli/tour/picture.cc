#include "cli/tour/picture.h"

#include <algorithm>
#include <cmath>

#include "asset/image.h"
#include "asset/png_writer.h"

namespace waybill::cli::tour {
namespace {

constexpr int width = 1280;
constexpr int height = 853;

struct Colour {
  float red, green, blue;
};

Colour mix(const Colour& a, const Colour& b, float share) {
  return {a.red + (b.red - a.red) * share, a.green + (b.green - a.green) * share,
          a.blue + (b.blue - a.blue) * share};
}

Colour sky(float x, float y) {
  const float sun = std::exp(-(std::pow(x - 0.68F, 2.F) * 9 + std::pow(y - 0.52F, 2.F) * 22));
  return mix(mix({38, 52, 110}, {236, 150, 110}, std::min(1.F, y * 1.6F)), {255, 226, 160}, sun);
}

// How high a range of hills stands at x; nearer ones are lower and rougher.
float ridge(float x, int range) {
  const auto r = static_cast<float>(range);
  return 0.45F + 0.13F * r + 0.07F * std::sin(x * (4 + 3 * r) + r * 2) +
         0.02F * std::sin(x * (23 + 11 * r) + r);
}

Colour colour_at(float x, float y) {
  for (int range = 3; range >= 0; --range) {
    if (y > ridge(x, range)) {
      const float near = static_cast<float>(range) / 3;
      return mix({128, 104, 132}, {24, 44, 38}, near);
    }
  }
  return sky(x, y);
}

}  // namespace

std::string make_picture() {
  asset::Image picture(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const Colour colour = colour_at(static_cast<float>(x) / static_cast<float>(width),
                                      static_cast<float>(y) / static_cast<float>(height));
      uint8_t* const pixel = picture.at(x, y);
      pixel[0] = static_cast<uint8_t>(colour.red);
      pixel[1] = static_cast<uint8_t>(colour.green);
      pixel[2] = static_cast<uint8_t>(colour.blue);
      pixel[3] = 255;
    }
  }
  return asset::write_png(picture);
}

}  // namespace waybill::cli::tour
