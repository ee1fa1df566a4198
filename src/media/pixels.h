#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace waybill::media {

// A small picture as plain numbers: red, green, blue, row by row.
struct Pixels {
  int width = 0;
  int height = 0;
  std::vector<uint8_t> rgb;

  const uint8_t* at(int x, int y) const {
    return &rgb[3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                     static_cast<std::size_t>(x))];
  }
};

// Brightness as it is seen, 0 to 255 (Rec. 601).
inline double luma(const uint8_t* rgb) {
  return 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2];
}

}  // namespace waybill::media
