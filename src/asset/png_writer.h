#pragma once

#include <string>

#include "asset/image.h"

namespace waybill::asset {

// The picture as a PNG file: 8-bit RGBA, or RGB where nothing is transparent. The picture must have a pixel.
std::string write_png(const Image& image);

}  // namespace waybill::asset
