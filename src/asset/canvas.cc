#include "asset/canvas.h"

#include <algorithm>
#include <cmath>

namespace waybill::asset {

namespace {

uint8_t byte_of(float value) {
  return static_cast<uint8_t>(std::lround(std::clamp(value, 0.0F, 1.0F) * 255));
}

}  // namespace

Canvas canvas_of(const Image& image) {
  Canvas canvas(image.width, image.height);
  for (std::size_t i = 0; i < canvas.pixels.size(); ++i) {
    const uint8_t* const from = image.rgba.data() + i * 4;
    const float alpha = static_cast<float>(from[3]) / 255;
    for (std::size_t c = 0; c < 3; ++c) {
      canvas.pixels[i][c] = static_cast<float>(from[c]) / 255 * alpha;
    }
    canvas.pixels[i][3] = alpha;
  }
  return canvas;
}

Image image_of(const Canvas& canvas) {
  Image image(canvas.width, canvas.height);
  for (std::size_t i = 0; i < canvas.pixels.size(); ++i) {
    const auto& from = canvas.pixels[i];
    const uint8_t alpha = byte_of(from[3]);
    if (alpha == 0) {
      continue;
    }
    uint8_t* const to = image.rgba.data() + i * 4;
    for (std::size_t c = 0; c < 3; ++c) {
      to[c] = byte_of(from[c] / from[3]);
    }
    to[3] = alpha;
  }
  return image;
}

}  // namespace waybill::asset
