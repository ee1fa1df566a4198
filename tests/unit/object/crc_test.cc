#include "object/crc.h"

#include <gtest/gtest.h>

#include "object/scratch.h"

namespace waybill::object {
namespace {

// The checks of "123456789" as catalogues of CRCs publish them, and RFC 3720's for CRC-32C.
TEST(Crc, PublishedVectors) {
  EXPECT_EQ(crc32(0, "123456789"), 0xcbf43926U);
  EXPECT_EQ(crc32c(0, "123456789"), 0xe3069283U);
  EXPECT_EQ(crc64nvme(0, "123456789"), 0xae8b14860a799888U);
  EXPECT_EQ(crc32c(0, std::string(32, '\0')), 0x8a9136aaU);
  EXPECT_EQ(crc32c(0, std::string(32, '\xff')), 0x62a8ab43U);
  EXPECT_EQ(crc64nvme(0, std::string(4096, '\0')), 0x6482d367eb22b64eU);
  EXPECT_EQ(crc64nvme(0, std::string(4096, '\xff')), 0xc0ddba7302eca3acU);
  EXPECT_EQ(crc32(0, ""), 0U);
  EXPECT_EQ(crc32c(0, ""), 0U);
  EXPECT_EQ(crc64nvme(0, ""), 0U);
}

// Bit by bit, as the definition has it.
template <typename Word>
Word by_definition(std::string_view bytes, Word polynomial) {
  Word crc = ~Word{0};
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc >> 1) ^ ((crc & 1) != 0 ? polynomial : 0);
    }
  }
  return ~crc;
}

TEST(Crc, EveryLengthAndPlace) {
  const std::string bytes = random_bytes(1, 700);
  for (std::size_t from = 0; from < 17; ++from) {
    for (std::size_t length = 0; length < 600; length += from == 0 ? 1 : 7) {
      const auto text = std::string_view(bytes).substr(from, length);
      ASSERT_EQ(crc32(0, text), by_definition<uint32_t>(text, 0xedb88320));
      ASSERT_EQ(crc32c(0, text), by_definition<uint32_t>(text, 0x82f63b78));
      ASSERT_EQ(crc64nvme(0, text), by_definition<uint64_t>(text, 0x9a6c9329ac4bc9b5));
    }
  }
}

TEST(Crc, LongTexts) {
  const std::string bytes = random_bytes(5, 140'000);
  for (const std::size_t length : {32'639UL, 32'640UL, 32'641UL, 65'279UL, 65'536UL, 65'537UL, 139'999UL}) {
    const auto text = std::string_view(bytes).substr(1, length);
    ASSERT_EQ(crc32(0, text), by_definition<uint32_t>(text, 0xedb88320));
    ASSERT_EQ(crc32c(0, text), by_definition<uint32_t>(text, 0x82f63b78));
    ASSERT_EQ(crc64nvme(0, text), by_definition<uint64_t>(text, 0x9a6c9329ac4bc9b5));
  }
}

TEST(Crc, InPiecesAndCombined) {
  const std::string bytes = random_bytes(2, 100'000);
  const std::string_view all = bytes;
  std::mt19937_64 random(3);
  for (int round = 0; round < 300; ++round) {
    const auto length = random() % (bytes.size() + 1);
    const auto whole = all.substr(0, length);
    const auto cut = random() % (length + 1);
    const auto first = whole.substr(0, cut);
    const auto second = whole.substr(cut);
    ASSERT_EQ(crc32(crc32(0, first), second), crc32(0, whole));
    ASSERT_EQ(crc32c(crc32c(0, first), second), crc32c(0, whole));
    ASSERT_EQ(crc64nvme(crc64nvme(0, first), second), crc64nvme(0, whole));
    ASSERT_EQ(combine_crc32(crc32(0, first), crc32(0, second), second.size()), crc32(0, whole));
    ASSERT_EQ(combine_crc32c(crc32c(0, first), crc32c(0, second), second.size()), crc32c(0, whole));
    ASSERT_EQ(combine_crc64nvme(crc64nvme(0, first), crc64nvme(0, second), second.size()),
              crc64nvme(0, whole));
  }
}

// (a b) c is a (b c), also where the lengths are far beyond what memory holds.
TEST(Crc, CombiningIsAssociative) {
  std::mt19937_64 random(4);
  for (int round = 0; round < 200; ++round) {
    const uint64_t a = random();
    const uint64_t b = random();
    const uint64_t c = random();
    const uint64_t b_bytes = random() >> (random() % 64);
    const uint64_t c_bytes = random() % (uint64_t{1} << 62) >> (random() % 62);
    if (b_bytes > ~uint64_t{0} - c_bytes) {
      continue;
    }
    ASSERT_EQ(combine_crc64nvme(combine_crc64nvme(a, b, b_bytes), c, c_bytes),
              combine_crc64nvme(a, combine_crc64nvme(b, c, c_bytes), b_bytes + c_bytes));
  }
}

}  // namespace
}  // namespace waybill::object
