#include "asset/silhouette.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "asset/vector.h"

namespace waybill::asset {

namespace {

bool has_transparency(const Image& image) {
  for (std::size_t i = 3; i < image.rgba.size(); i += 4) {
    if (image.rgba[i] < 128) {
      return true;
    }
  }
  return false;
}

// The median of each channel along the edge.
std::array<float, 3> ground_of(const Image& image) {
  std::array<std::vector<uint8_t>, 3> seen;
  const auto look = [&](int x, int y) {
    for (std::size_t c = 0; c < 3; ++c) {
      seen[c].push_back(image.at(x, y)[c]);
    }
  };
  for (int x = 0; x < image.width; ++x) {
    look(x, 0);
    look(x, image.height - 1);
  }
  for (int y = 0; y < image.height; ++y) {
    look(0, y);
    look(image.width - 1, y);
  }
  std::array<float, 3> ground{};
  for (std::size_t c = 0; c < 3; ++c) {
    const auto middle = seen[c].begin() + static_cast<std::ptrdiff_t>(seen[c].size() / 2);
    std::nth_element(seen[c].begin(), middle, seen[c].end());
    ground[c] = *middle;
  }
  return ground;
}

}  // namespace

void cut_out(Image& image) {
  if (has_transparency(image)) {
    return;
  }
  const auto ground = ground_of(image);
  for (std::size_t i = 0; i < image.rgba.size(); i += 4) {
    float square = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      const float off = (static_cast<float>(image.rgba[i + c]) - ground[c]) / 255;
      square += off * off;
    }
    const float alpha = smooth_step(0.06F, 0.16F, std::sqrt(square));
    image.rgba[i + 3] = static_cast<uint8_t>(std::lround(alpha * 255));
  }
}

}  // namespace waybill::asset
