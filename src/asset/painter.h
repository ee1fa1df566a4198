#pragma once

#include <cstdint>

#include "asset/figure.h"
#include "asset/image.h"

namespace waybill::asset {

struct PaintOptions {
  int side = 512;        // of the picture, which is a square
  uint32_t salt = 0;     // of the noise on surfaces
  float grain = 0.008F;  // noise of the picture itself, as drafts have it
};

// The figure in light from the upper left, with soft shadows, on a transparent ground.
Image paint(const Figure& figure, const PaintOptions& options);

}  // namespace waybill::asset
