#pragma once

#include <cstddef>
#include <vector>

#include "asset/image.h"
#include "base/result.h"

namespace waybill::asset {

struct ReliefOptions {
  int detail = 192;      // cells along the longer side of what the picture shows
  float depth = 1;       // of the round shape; 0.5 is half as thick
  float relief = 0.35F;  // how far light and dark places stand out
};

// A grid of points over what a picture shows, with the thickness of the thing at each. Lengths are in cells.
// The outermost points are outside.
struct Relief {
  int columns = 0;  // of points
  int rows = 0;
  float left = 0;  // of the first point, in pixels of the picture
  float top = 0;
  float cell_pixels = 0;

  std::vector<float> inside;  // above 0 inside and below outside, never 0; crosses 0 at the outline
  std::vector<float> front;   // thickness towards the viewer, above 0 inside and 0 outside
  std::vector<float> back;    // and away from the viewer

  std::size_t index(int column, int row) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
           static_cast<std::size_t>(column);
  }
};

// Finds the outline of the opaque part of `image` and inflates it as a balloon. Refuses pictures that show
// nothing, or only specks.
Result<Relief> relief_of(const Image& image, const ReliefOptions& options);

}  // namespace waybill::asset
