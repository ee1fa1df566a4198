#pragma once

#include "asset/image.h"
#include "asset/relief.h"

namespace waybill::asset {

// The picture as the skin of the surface that was made of it: on the left what the picture shows, on the
// right the same for the back, where only its colours are known and not its details. Opaque: colours run on
// beyond the outline, so that no ground shines through at the seam. `side` is the longer side of each half,
// in pixels.
Image paint_texture(const Image& image, const Relief& relief, int side);

}  // namespace waybill::asset
