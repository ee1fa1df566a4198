#pragma once

#include <cstddef>

namespace waybill::media {

// Takes EXIF, XMP and colour profile out of a WebP file, in place, and returns how long it is then. What is
// no whole WebP file is left as it is.
//
//   file  = "RIFF" size "WEBP" chunk*                sizes: 4 bytes, low one first, of what follows them
//   chunk = name (4 bytes) size content [0 where the content's size is odd]
//   The content of chunk "VP8X" begins with flags that say which of the others there are.
std::size_t remove_webp_metadata(char* file, std::size_t bytes);

}  // namespace waybill::media
