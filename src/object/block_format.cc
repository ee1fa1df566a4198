#include "object/block_format.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/check.h"
#include "object/crc.h"

namespace waybill::object {
namespace {

constexpr std::string_view magic = "wbobject";
constexpr uint32_t version = 1;
constexpr std::size_t crc_bytes = 4;
constexpr std::size_t version_at = 8;
constexpr std::size_t segment_count_at = 12;
constexpr std::size_t block_count_at = 16;
constexpr std::size_t content_bytes_at = 24;

uint64_t blocks_of(uint64_t bytes) {
  return bytes / block_bytes + (bytes % block_bytes == 0 ? 0 : 1);
}

Error damaged(std::string_view detail) {
  return {ErrorKind::corruption, "A stored content is damaged. Restore it from a backup.",
          std::string(detail)};
}

}  // namespace

void BlockSums::add(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto piece = bytes.substr(0, std::min<uint64_t>(bytes.size(), block_bytes - block_filled_));
    crc_ = crc32c(crc_, piece);
    block_filled_ += piece.size();
    bytes.remove_prefix(piece.size());
    if (block_filled_ == block_bytes) {
      append_u32_be(sums_, crc_);
      crc_ = 0;
      block_filled_ = 0;
    }
  }
}

std::string BlockSums::take() {
  if (block_filled_ > 0) {
    append_u32_be(sums_, crc_);
  }
  crc_ = 0;
  block_filled_ = 0;
  return std::exchange(sums_, {});
}

void BlockMap::add_segment(uint64_t bytes) {
  if (bytes == 0) {
    return;
  }
  if (!segments_.empty() && segments_.back().bytes % block_bytes == 0) {
    segments_.back().bytes += bytes;
  } else {
    segments_.push_back({content_bytes_, bytes, block_count_});
  }
  content_bytes_ += bytes;
  block_count_ += blocks_of(bytes);
}

std::vector<uint64_t> BlockMap::lengths() const {
  std::vector<uint64_t> lengths(segments_.size());
  std::transform(segments_.begin(), segments_.end(), lengths.begin(),
                 [](const Segment& segment) { return segment.bytes; });
  return lengths;
}

Block BlockMap::block_at(uint64_t offset) const {
  WAYBILL_CHECK(offset < content_bytes_);
  const auto behind =
      std::upper_bound(segments_.begin(), segments_.end(), offset,
                       [](uint64_t at, const Segment& segment) { return at < segment.offset; });
  const auto& segment = *std::prev(behind);
  const uint64_t block = (offset - segment.offset) / block_bytes;
  const uint64_t start = block * block_bytes;
  return {segment.first_block + block, segment.offset + start, std::min(block_bytes, segment.bytes - start)};
}

std::string encode_map(const BlockMap& map) {
  std::string bytes;
  for (const uint64_t length : map.lengths()) {
    append_u64_be(bytes, length);
  }
  bytes += magic;
  append_u32_be(bytes, version);
  append_u32_be(bytes, static_cast<uint32_t>(map.segment_count()));
  append_u64_be(bytes, map.block_count());
  append_u64_be(bytes, map.content_bytes());
  append_u32_be(bytes, crc32c(0, bytes));
  return bytes;
}

Result<Footer> read_footer(std::string_view last_bytes, uint64_t file_bytes) {
  if (last_bytes.size() != footer_bytes || !last_bytes.starts_with(magic)) {
    return damaged("the file does not end with the footer of a content");
  }
  if (load_u32_be(last_bytes.data() + version_at) != version) {
    return damaged("the footer is of a version that is not known here");
  }
  const Footer footer{load_u64_be(last_bytes.data() + content_bytes_at),
                      load_u64_be(last_bytes.data() + block_count_at),
                      load_u32_be(last_bytes.data() + segment_count_at)};
  // Each alone first: a sum of numbers that came from a damaged file could run over.
  if (footer.content_bytes > file_bytes || footer.block_count > file_bytes / sum_bytes ||
      footer.segment_count > segment_count_max ||
      footer.lengths_offset() + footer.map_bytes() != file_bytes) {
    return damaged("the file is not as long as its footer says");
  }
  return footer;
}

Result<BlockMap> read_map(const Footer& footer, std::string_view lengths_and_footer) {
  WAYBILL_CHECK(lengths_and_footer.size() == footer.map_bytes());
  const auto checked = lengths_and_footer.substr(0, lengths_and_footer.size() - crc_bytes);
  if (crc32c(0, checked) != load_u32_be(checked.data() + checked.size())) {
    return damaged("the checksum of the footer does not fit");
  }
  BlockMap map;
  for (std::size_t i = 0; i < footer.segment_count; ++i) {
    const uint64_t length = load_u64_be(checked.data() + i * length_bytes);
    if (length > footer.content_bytes - map.content_bytes()) {
      return damaged("segments are longer than their content");
    }
    map.add_segment(length);
  }
  if (map.content_bytes() != footer.content_bytes || map.block_count() != footer.block_count ||
      map.segment_count() != footer.segment_count) {
    return damaged("segments do not add up to their content");
  }
  return map;
}

}  // namespace waybill::object
