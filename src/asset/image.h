#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace waybill::asset {

// What a reader takes and a stage makes at most.
inline constexpr std::size_t pixels_max = std::size_t{4096} * 4096;

// A picture: rows from the top, four bytes a pixel (red, green, blue, alpha), alpha not multiplied in.
struct Image {
  int width = 0;
  int height = 0;
  std::vector<uint8_t> rgba;

  Image() = default;
  Image(int width_given, int height_given) : width(width_given), height(height_given), rgba(pixels() * 4) {}

  std::size_t pixels() const { return static_cast<std::size_t>(width) * static_cast<std::size_t>(height); }
  uint8_t* at(int x, int y) { return rgba.data() + offset(x, y); }
  const uint8_t* at(int x, int y) const { return rgba.data() + offset(x, y); }

 private:
  std::size_t offset(int x, int y) const {
    return (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)) * 4;
  }
};

// From 0 to 1, as the eye weighs red, green and blue.
inline float luminance(const uint8_t* rgb) {
  return (0.2126F * rgb[0] + 0.7152F * rgb[1] + 0.0722F * rgb[2]) / 255;
}

}  // namespace waybill::asset
