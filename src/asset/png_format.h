#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

// The parts of PNG (ISO/IEC 15948) that its reader and its writer share.
//
//   file   = signature chunk*        the first chunk is IHDR, the last IEND
//   chunk  = length:u32 type:4 data crc:u32      big-endian; the crc is of type and data
//   pixels = zlib(row*)              in all IDAT chunks together
//   row    = filter:u8 sample*
namespace waybill::asset::png {

inline constexpr std::string_view signature("\x89PNG\r\n\x1a\n", 8);
inline constexpr std::size_t chunk_frame_bytes = 12;
inline constexpr std::size_t header_bytes = 13;

enum Filter : uint8_t { none, sub, up, average, paeth };
inline constexpr int filters = 5;

// What a sample is predicted from: its neighbours left, above, and left above.
inline uint8_t paeth_of(int left, int above, int corner) {
  const int estimate = left + above - corner;
  const int to_left = estimate > left ? estimate - left : left - estimate;
  const int to_above = estimate > above ? estimate - above : above - estimate;
  const int to_corner = estimate > corner ? estimate - corner : corner - estimate;
  if (to_left <= to_above && to_left <= to_corner) {
    return static_cast<uint8_t>(left);
  }
  return static_cast<uint8_t>(to_above <= to_corner ? above : corner);
}

}  // namespace waybill::asset::png
