#include "transfer/record_reader.h"

#include <gtest/gtest.h>
#include <zstd.h>

#include <vector>

#include "transfer/scratch.h"

namespace waybill::transfer {
namespace {

class RecordReaderTest : public ScratchTest {
 protected:
  struct Read {
    std::vector<std::string> records;
    uint64_t bytes = 0;
    std::string error;
  };

  Read read(std::string_view bytes, Compression compression, RecordKind kind = RecordKind::line) {
    write("file", bytes);
    RecordReader reader(*open_source(path("file"), compression), kind);
    Read read;
    for (;;) {
      const auto more = reader.next();
      if (!more) {
        read.error = more.error().message;
        return read;
      }
      if (!*more) {
        break;
      }
      read.records.emplace_back(reader.record());
      too_long_ += reader.is_too_long() ? 1 : 0;
    }
    EXPECT_EQ(reader.records(), read.records.size());
    read.bytes = reader.bytes();
    return read;
  }

  static std::string zstd(std::string_view bytes) {
    std::string packed(ZSTD_compressBound(bytes.size()), '\0');
    packed.resize(ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), 3));
    return packed;
  }

  int too_long_ = 0;
};

using Records = std::vector<std::string>;

TEST_F(RecordReaderTest, LinesWithAnyEnd) {
  EXPECT_EQ(read("", Compression::none).records, Records());
  EXPECT_EQ(read("\n\r\n\n", Compression::none).records, Records());
  EXPECT_EQ(read("a\nb\r\n\nc", Compression::none).records, (Records{"a", "b", "c"}));
  EXPECT_EQ(read("a\nb\n", Compression::none).bytes, 4U);
}

TEST_F(RecordReaderTest, CompressedOfSeveralParts) {
  std::string lines;
  for (int i = 0; i < 200'000; ++i) {
    lines += "line " + std::to_string(i) + "\n";
  }
  for (const bool twice : {false, true}) {
    const auto in_parts = [&](auto pack) { return twice ? pack(lines) + pack(lines) : pack(lines); };
    const auto zipped = read(in_parts([](auto text) { return gzip(text); }), Compression::gzip);
    const auto packed = read(in_parts([](auto text) { return zstd(text); }), Compression::zstd);
    EXPECT_EQ(zipped.error, "");
    EXPECT_EQ(zipped.records.size(), twice ? 400'000U : 200'000U);
    EXPECT_EQ(zipped.records.back(), "line 199999");
    EXPECT_EQ(zipped.bytes, lines.size() * (twice ? 2 : 1));
    EXPECT_EQ(packed.records, zipped.records);
  }
}

TEST_F(RecordReaderTest, DamageIsNoticed) {
  std::string lines(100'000, 'x');
  const auto zipped = gzip(lines);
  EXPECT_NE(read(zipped.substr(0, zipped.size() - 4), Compression::gzip).error, "");
  auto flipped = zipped;
  flipped[flipped.size() - 6] ^= 1;  // in its checksum
  EXPECT_NE(read(flipped, Compression::gzip).error, "");
  EXPECT_NE(read("no gzip", Compression::gzip).error, "");
  const auto packed = zstd(lines);
  EXPECT_NE(read(packed.substr(0, packed.size() - 1), Compression::zstd).error, "");
  EXPECT_EQ(read("", Compression::gzip).error, "");
}

TEST_F(RecordReaderTest, WhatIsTooLongIsCutOffAndSkipped) {
  const std::string long_line(RecordReader::record_bytes_max * 3 + 17, 'x');
  const auto got = read("a\n" + long_line + "\nb\n", Compression::none);
  ASSERT_EQ(got.records.size(), 3U);
  EXPECT_EQ(got.records[0], "a");
  EXPECT_EQ(got.records[1].size(), RecordReader::record_bytes_max);
  EXPECT_EQ(got.records[2], "b");
  EXPECT_EQ(too_long_, 1);
  EXPECT_EQ(got.bytes, long_line.size() + 5);
}

TEST_F(RecordReaderTest, CsvRecordsMayHoldLineEnds) {
  const auto got = read("a,\"x\ny\"\r\nb,\"\"\"\n\"\nc", Compression::none, RecordKind::csv);
  EXPECT_EQ(got.records, (Records{"a,\"x\ny\"", "b,\"\"\"\n\"", "c"}));
}

}  // namespace
}  // namespace waybill::transfer
