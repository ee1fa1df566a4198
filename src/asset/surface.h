#pragma once

#include "asset/model.h"
#include "asset/relief.h"

namespace waybill::asset {

// The relief as a closed surface: a front and a back that meet along the outline. Every edge has two
// triangles, and every triangle faces outwards. The thing stands on y = 0, its longer side is `size` metres.
// Texture places of the front are in the left half of the texture, of the back in the right; `paint_texture`
// makes one that fits.
Mesh close_surface(const Relief& relief, float size);

}  // namespace waybill::asset
