#pragma once

#include <cstdint>

namespace waybill::media {

// What one task may take. A task that goes beyond fails with Error too_large (what is known from the file
// itself) or limit_exceeded (what shows while it runs).
struct Limits {
  int64_t input_bytes_max = int64_t{64} << 20;
  int64_t pixels_max =
      100'000'000;  // of an original; about 4 bytes of memory each, twice that where it is turned
  int64_t side_pixels_max = 65'500;
  int64_t output_bytes_max = int64_t{256} << 20;  // of each file
  int64_t memory_bytes_max = int64_t{1} << 30;  // address space, libvips and its libraries (150 MB) included
  int64_t cpu_seconds_max = 30;
  int64_t wall_ms_max = 30'000;
};

}  // namespace waybill::media
