#pragma once

#include <string>
#include <string_view>

#include "media/image.h"
#include "media/limits.h"
#include "media/tasks.h"

namespace waybill::media {

struct Loaded {
  Image image;       // in memory, upright, 8 bits of sRGB, with or without alpha
  Picture original;  // what the file is; not shrunk
};

struct LoadOptions {
  // A picture with no side under this will do, where the decoder is quicker with it. 0: as large as it is.
  int side_wanted = 0;
};

// Reads the bytes of an image file. What it says of itself is held against `limits` before any pixel is
// decoded. Errors: unsupported for what is none of the five formats, too_large, limit_exceeded for memory,
// invalid for files that are broken or cut off.
Result<Loaded> load(std::string_view bytes, const Limits& limits, LoadOptions options = {});

// The same of a file.
Result<Loaded> load_file(const std::string& path, const Limits& limits, LoadOptions options = {});

}  // namespace waybill::media
