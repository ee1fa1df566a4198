#include "object/checksum.h"

#include <gtest/gtest.h>

#include "base/bytes.h"
#include "object/multipart.h"
#include "object/scratch.h"

namespace waybill::object {
namespace {

TEST(Checksum, AsHeadersHaveThem) {
  const std::string text = "Hello, world!";
  EXPECT_EQ(text_of(checksum_of(ChecksumAlgorithm::crc32, text)), "6+bG5g==");
  EXPECT_EQ(text_of(checksum_of(ChecksumAlgorithm::crc32c, text)), "yKEG5Q==");
  EXPECT_EQ(text_of(checksum_of(ChecksumAlgorithm::sha1, text)), "lDpwLQbzRZmu4fjajvn3KWAx1pk=");
  EXPECT_EQ(text_of(checksum_of(ChecksumAlgorithm::sha256, text)),
            "MV9b23bQeMQ7isAGTkoBZGErH853yGk0W/yUx1iU7dM=");
  EXPECT_EQ(hex_lower(checksum_of(ChecksumAlgorithm::crc64nvme, "123456789").bytes), "ae8b14860a799888");
  EXPECT_EQ(hex_lower(hash_of(HashKind::md5, "")), "d41d8cd98f00b204e9800998ecf8427e");
  EXPECT_EQ(hex_lower(hash_of(HashKind::md5, "message digest")), "f96b697d7cb7938d525a2f31aaf161d0");
}

TEST(Checksum, NamesGoThereAndBack) {
  for (const auto algorithm : checksum_algorithms) {
    EXPECT_EQ(algorithm_named(name_of(algorithm)), algorithm);
    EXPECT_EQ(algorithm_of_header(header_of(algorithm)), algorithm);
    const auto checksum = checksum_of(algorithm, "x");
    EXPECT_EQ(checksum.bytes.size(), size_of(algorithm));
    EXPECT_EQ(*read_checksum(algorithm, text_of(checksum)), checksum);
    EXPECT_FALSE(read_checksum(algorithm, text_of(checksum).substr(4)));
    EXPECT_FALSE(read_checksum(algorithm, "not base64!!"));
  }
  EXPECT_FALSE(algorithm_named("MD4"));
  EXPECT_FALSE(algorithm_of_header("x-amz-checksum-algorithm"));
  EXPECT_EQ(*read_content_md5("1B2M2Y8AsgTpgAmY7PhCfg=="), hash_of(HashKind::md5, ""));
  EXPECT_FALSE(read_content_md5("1B2M2Y8AsgTpgAmY7PhCfg"));
  EXPECT_FALSE(read_content_md5("AAAA"));
}

TEST(Checksum, InPieces) {
  const std::string bytes = random_bytes(1, 10'000);
  for (const auto algorithm : checksum_algorithms) {
    RunningChecksum running(algorithm);
    for (std::size_t at = 0; at < bytes.size(); at += 333) {
      running.add(std::string_view(bytes).substr(at, 333));
    }
    EXPECT_EQ(running.finish(), checksum_of(algorithm, bytes));
  }
}

TEST(Multipart, TypesThatS3Allows) {
  using enum ChecksumAlgorithm;
  for (const auto algorithm : checksum_algorithms) {
    const bool is_crc = algorithm == crc32 || algorithm == crc32c || algorithm == crc64nvme;
    EXPECT_EQ(is_allowed(algorithm, ChecksumType::full_object), is_crc);
    EXPECT_EQ(is_allowed(algorithm, ChecksumType::composite), algorithm != crc64nvme);
    EXPECT_TRUE(is_allowed(algorithm, default_type(algorithm)));
  }
  EXPECT_EQ(type_named("FULL_OBJECT"), ChecksumType::full_object);
  EXPECT_EQ(type_named("COMPOSITE"), ChecksumType::composite);
  EXPECT_FALSE(type_named("full_object"));
}

class MultipartParts : public ::testing::Test {
 protected:
  std::vector<PartChecksum> checksums(ChecksumAlgorithm algorithm) const {
    std::vector<PartChecksum> all;
    for (const auto& part : parts_) {
      all.push_back({part.size(), checksum_of(algorithm, part).bytes});
    }
    return all;
  }

  std::vector<std::string> parts_{random_bytes(1, 70'000), random_bytes(2, 1), random_bytes(3, 4096), ""};
};

TEST_F(MultipartParts, EtagIsOfTheMd5s) {
  std::vector<std::string> md5s;
  std::string joined;
  for (const auto& part : parts_) {
    md5s.push_back(hash_of(HashKind::md5, part));
    joined += md5s.back();
  }
  EXPECT_EQ(multipart_etag(md5s), hex_lower(hash_of(HashKind::md5, joined)) + "-4");
}

TEST_F(MultipartParts, FullObjectIsOfAllBytes) {
  std::string all;
  for (const auto& part : parts_) {
    all += part;
  }
  for (const auto algorithm :
       {ChecksumAlgorithm::crc32, ChecksumAlgorithm::crc32c, ChecksumAlgorithm::crc64nvme}) {
    EXPECT_EQ(*object_checksum(algorithm, ChecksumType::full_object, checksums(algorithm)),
              text_of(checksum_of(algorithm, all)));
  }
}

TEST_F(MultipartParts, CompositeIsOfTheChecksums) {
  for (const auto algorithm : {ChecksumAlgorithm::crc32, ChecksumAlgorithm::crc32c, ChecksumAlgorithm::sha1,
                               ChecksumAlgorithm::sha256}) {
    std::string joined;
    for (const auto& part : checksums(algorithm)) {
      joined += part.checksum;
    }
    EXPECT_EQ(*object_checksum(algorithm, ChecksumType::composite, checksums(algorithm)),
              text_of(checksum_of(algorithm, joined)) + "-4");
  }
}

TEST_F(MultipartParts, WhatCannotBeIsRefused) {
  const auto sha = checksums(ChecksumAlgorithm::sha256);
  EXPECT_FALSE(object_checksum(ChecksumAlgorithm::sha256, ChecksumType::full_object, sha));
  EXPECT_FALSE(object_checksum(ChecksumAlgorithm::crc32, ChecksumType::composite, sha));
  EXPECT_FALSE(object_checksum(ChecksumAlgorithm::crc64nvme, ChecksumType::composite,
                               checksums(ChecksumAlgorithm::crc64nvme)));
}

}  // namespace
}  // namespace waybill::object
