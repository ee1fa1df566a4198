#pragma once

#include <string_view>

#include "asset/image.h"
#include "base/result.h"

namespace waybill::asset {

// Reads a PNG of 8-bit grey, grey with alpha, RGB or RGBA samples that is not interlaced, up to `pixels_max`
// pixels. Everything else is an Error of kind invalid that says what to do, or of kind too_large; damaged
// files are noticed by their checksums. Allocates no more than the picture needs, and that only where the
// file is long enough to hold it.
Result<Image> read_png(std::string_view file);

// Whether these bytes mean to be a PNG.
bool looks_like_png(std::string_view file);

}  // namespace waybill::asset
