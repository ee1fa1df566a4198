#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "asset/image.h"

namespace waybill::asset {

// A picture to calculate with: red, green, blue and alpha from 0 to 1, alpha multiplied in, so that what is
// transparent weighs nothing where pixels are mixed.
struct Canvas {
  using Pixel = std::array<float, 4>;

  int width = 0;
  int height = 0;
  std::vector<Pixel> pixels;

  Canvas() = default;
  Canvas(int width_given, int height_given)
      : width(width_given),
        height(height_given),
        pixels(static_cast<std::size_t>(width_given) * static_cast<std::size_t>(height_given)) {}

  // Beyond the edge is what is at the edge.
  const Pixel& near(int x, int y) const {
    return row(y < 0 ? 0 : y >= height ? height - 1 : y)[x < 0 ? 0 : x >= width ? width - 1 : x];
  }
  Pixel* row(int y) { return pixels.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width); }
  const Pixel* row(int y) const {
    return pixels.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width);
  }
};

Canvas canvas_of(const Image& image);

// Values beyond 0 to 1 are cut off.
Image image_of(const Canvas& canvas);

}  // namespace waybill::asset
