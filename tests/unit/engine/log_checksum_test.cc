#include "engine/log_checksum.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>

namespace waybill::engine {
namespace {

uint32_t crc_of(std::string_view bytes) {
  return rocksdb::crc32c::Extend(0, bytes.data(), bytes.size());
}

// RFC 3720, B.4, and the usual check value.
TEST(LogChecksumTest, KnownValues) {
  EXPECT_EQ(crc_of("123456789"), 0xe3069283U);
  EXPECT_EQ(crc_of(std::string(32, '\0')), 0x8a9136aaU);
  EXPECT_EQ(crc_of(std::string(32, '\xff')), 0x62a8ab43U);
}

TEST(LogChecksumTest, PiecesGiveTheSameAsTheWhole) {
  std::mt19937 random(1);
  std::string bytes(5000, '\0');
  for (auto& byte : bytes) {
    byte = static_cast<char>(random());
  }
  const uint32_t whole = crc_of(bytes);
  for (int i = 0; i < 1000; ++i) {
    const std::size_t at = random() % bytes.size();
    const uint32_t first = rocksdb::crc32c::Extend(0, bytes.data(), at);
    ASSERT_EQ(rocksdb::crc32c::Extend(first, bytes.data() + at, bytes.size() - at), whole) << at;
  }
}

// What RocksDB calls is found by name: it has to be ours.
TEST(LogChecksumTest, RocksDbFindsThisOne) {
  void* const found = ::dlsym(RTLD_DEFAULT, "_ZN7rocksdb6crc32c6ExtendEjPKcm");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found, reinterpret_cast<void*>(&rocksdb::crc32c::Extend));
  Dl_info where{};
  ASSERT_NE(::dladdr(found, &where), 0);
  EXPECT_EQ(std::string_view(where.dli_fname).find("librocksdb"), std::string_view::npos);
}

}  // namespace
}  // namespace waybill::engine
