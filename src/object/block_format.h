#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

// How a content lies in its file. Pure: bytes in, bytes out.
//
//   file     := content sums lengths footer
//   content  := the bytes, from offset 0
//   sums     := for each block its CRC-32C, 4 bytes
//   lengths  := for each segment its length, 8 bytes
//   footer   := magic "wbobject", version 1 (4 bytes), number of segments (4), number of blocks (8),
//               length of the content (8), CRC-32C of lengths and footer up to here (4)
//
// All numbers are big-endian. The content is cut into segments, and each segment into blocks of 64 KiB, of
// which its last may be shorter. One upload is one segment. A content that is joined of others has their
// segments one behind the other, so that their sums stay true and nothing has to be read to make it. A
// segment that ends with a whole block is one with what follows.
namespace waybill::object {

inline constexpr uint64_t block_bytes = 64 * 1024;
inline constexpr std::size_t sum_bytes = 4;
inline constexpr std::size_t length_bytes = 8;
inline constexpr std::size_t footer_bytes = 36;
inline constexpr std::size_t segment_count_max = 1'000'000;

// The sums of blocks while their bytes go by in pieces of any length.
class BlockSums {
 public:
  void add(std::string_view bytes);

  // As they stand in the file, with that of the last block, which may be short.
  std::string take();

 private:
  std::string sums_;
  uint32_t crc_ = 0;
  uint64_t block_filled_ = 0;
};

struct Block {
  uint64_t index = 0;  // among all of the content
  uint64_t offset = 0;
  uint64_t bytes = 0;
};

// Which bytes are whose block.
class BlockMap {
 public:
  BlockMap() = default;

  // Adds a segment behind the others; an empty one adds nothing.
  void add_segment(uint64_t bytes);

  uint64_t content_bytes() const { return content_bytes_; }
  uint64_t block_count() const { return block_count_; }
  std::size_t segment_count() const { return segments_.size(); }

  // Lengths of the segments, in their order.
  std::vector<uint64_t> lengths() const;

  // The block that the byte at `offset` is in; the offset lies inside the content.
  Block block_at(uint64_t offset) const;

 private:
  struct Segment {
    uint64_t offset = 0;
    uint64_t bytes = 0;
    uint64_t first_block = 0;
  };

  std::vector<Segment> segments_;
  uint64_t content_bytes_ = 0;
  uint64_t block_count_ = 0;
};

// Lengths and footer, as they stand at the end of the file.
std::string encode_map(const BlockMap& map);

// What the footer says of the file before the lengths are read.
struct Footer {
  uint64_t content_bytes = 0;
  uint64_t block_count = 0;
  uint64_t segment_count = 0;

  uint64_t sums_offset() const { return content_bytes; }
  uint64_t lengths_offset() const { return content_bytes + block_count * sum_bytes; }
  uint64_t map_bytes() const { return segment_count * length_bytes + footer_bytes; }
};

// Error corruption where these are not the last bytes of a content's file of `file_bytes`.
Result<Footer> read_footer(std::string_view last_bytes, uint64_t file_bytes);

// The map from lengths and footer. Error corruption where the check or the numbers do not fit.
Result<BlockMap> read_map(const Footer& footer, std::string_view lengths_and_footer);

}  // namespace waybill::object
