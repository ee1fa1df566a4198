#include "object/block_format.h"

#include <gtest/gtest.h>

#include "base/bytes.h"
#include "object/crc.h"
#include "object/scratch.h"

namespace waybill::object {
namespace {

BlockMap map_of(const std::vector<uint64_t>& lengths) {
  BlockMap map;
  for (const auto length : lengths) {
    map.add_segment(length);
  }
  return map;
}

TEST(BlockSums, OnePerBlockHoweverCut) {
  const std::string bytes = random_bytes(1, 2 * block_bytes + 5);
  std::string expected;
  for (std::size_t at = 0; at < bytes.size(); at += block_bytes) {
    append_u32_be(expected, crc32c(0, std::string_view(bytes).substr(at, block_bytes)));
  }
  for (const std::size_t piece : {999UL, 65536UL, 100'000UL, bytes.size()}) {
    BlockSums sums;
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
      sums.add(std::string_view(bytes).substr(at, piece));
    }
    EXPECT_EQ(sums.take(), expected);
  }
  EXPECT_EQ(BlockSums().take(), "");
}

TEST(BlockMap, EveryByteHasItsBlock) {
  const auto map = map_of({3, 0, block_bytes, 10, 2 * block_bytes + 1, 7});
  // The segment of one whole block is one with the next.
  EXPECT_EQ(map.lengths(), (std::vector<uint64_t>{3, block_bytes + 10, 2 * block_bytes + 1, 7}));
  EXPECT_EQ(map.block_count(), 1U + 2 + 3 + 1);
  uint64_t offset = 0;
  uint64_t index = 0;
  while (offset < map.content_bytes()) {
    const auto block = map.block_at(offset);
    ASSERT_EQ(block.offset, offset);
    ASSERT_EQ(block.index, index++);
    ASSERT_EQ(map.block_at(offset + block.bytes - 1).index, block.index);
    offset += block.bytes;
  }
  EXPECT_EQ(index, map.block_count());
}

TEST(BlockMap, ThereAndBack) {
  for (const auto& lengths :
       std::vector<std::vector<uint64_t>>{{}, {1}, {block_bytes}, {5, 6, 7}, {1ULL << 42}}) {
    const auto map = map_of(lengths);
    const auto bytes = encode_map(map);
    const uint64_t file = map.content_bytes() + map.block_count() * sum_bytes + bytes.size();
    const auto footer = read_footer(std::string_view(bytes).substr(bytes.size() - footer_bytes), file);
    ASSERT_TRUE(footer);
    const auto read = read_map(*footer, bytes);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->lengths(), map.lengths());
  }
}

TEST(BlockMap, EveryFlippedBitIsNoticed) {
  const auto map = map_of({5, block_bytes + 3, 9});
  const auto good = encode_map(map);
  const uint64_t file = map.content_bytes() + map.block_count() * sum_bytes + good.size();
  for (std::size_t bit = 0; bit < good.size() * 8; ++bit) {
    auto bytes = good;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << (bit % 8)));
    const auto footer = read_footer(std::string_view(bytes).substr(bytes.size() - footer_bytes), file);
    if (footer) {
      ASSERT_EQ(read_map(*footer, bytes).error().kind, ErrorKind::corruption) << bit;
    } else {
      ASSERT_EQ(footer.error().kind, ErrorKind::corruption);
    }
  }
}

}  // namespace
}  // namespace waybill::object
