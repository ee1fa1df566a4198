#pragma once

#include <cstddef>
#include <cstdint>

// The parts of binary glTF 2.0 (ISO/IEC 12113) that its reader and its writer share. All numbers are
// little-endian.
//
//   file  = "glTF" version:u32=2 length:u32 json binary?
//   chunk = length:u32 type:u32 data          data is filled up to a multiple of four bytes
namespace waybill::asset::glb {

inline constexpr uint32_t magic = 0x46546c67;
inline constexpr uint32_t version = 2;
inline constexpr uint32_t json_chunk = 0x4e4f534a;
inline constexpr uint32_t binary_chunk = 0x004e4942;
inline constexpr std::size_t header_bytes = 12;
inline constexpr std::size_t chunk_header_bytes = 8;

enum Component : int64_t { unsigned_byte = 5121, unsigned_short = 5123, unsigned_int = 5125, real = 5126 };

inline constexpr int64_t vertex_target = 34962;
inline constexpr int64_t index_target = 34963;
inline constexpr int64_t triangles_mode = 4;

}  // namespace waybill::asset::glb
