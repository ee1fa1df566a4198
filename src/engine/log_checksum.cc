#include "engine/log_checksum.h"

#include <array>
#include <cstring>

#if defined(__x86_64__)
#include <nmmintrin.h>
#elif defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>
#endif

namespace waybill::engine {
namespace {

constexpr std::size_t step_bytes = 8;

constexpr std::array<uint32_t, 256> make_table() {
  constexpr uint32_t polynomial = 0x82f63b78;  // Castagnoli's, lowest bit first
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < table.size(); ++i) {
    uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc >> 1) ^ ((crc & 1) != 0 ? polynomial : 0);
    }
    table[i] = crc;
  }
  return table;
}

constexpr auto table = make_table();

uint32_t from_table(uint32_t crc, const char* bytes, std::size_t count) {
  for (; count > 0; --count) {
    crc = (crc >> 8) ^ table[(crc ^ static_cast<unsigned char>(*bytes++)) & 0xff];
  }
  return crc;
}

uint64_t load(const char* bytes) {
  uint64_t word = 0;
  std::memcpy(&word, bytes, step_bytes);
  return word;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) uint32_t by_instruction(uint32_t crc, const char* bytes,
                                                          std::size_t count) {
  uint64_t wide = crc;
  for (; count >= step_bytes; bytes += step_bytes, count -= step_bytes) {
    wide = _mm_crc32_u64(wide, load(bytes));
  }
  return from_table(static_cast<uint32_t>(wide), bytes, count);
}
#elif defined(__ARM_FEATURE_CRC32)
uint32_t by_instruction(uint32_t crc, const char* bytes, std::size_t count) {
  for (; count >= step_bytes; bytes += step_bytes, count -= step_bytes) {
    crc = __crc32cd(crc, load(bytes));
  }
  return from_table(crc, bytes, count);
}
#else
constexpr auto& by_instruction = from_table;
#endif

}  // namespace

bool has_checksum_instruction() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("sse4.2") != 0;
#elif defined(__ARM_FEATURE_CRC32)
  return true;
#else
  return false;
#endif
}

}  // namespace waybill::engine

namespace rocksdb::crc32c {

uint32_t Extend(uint32_t crc, const char* bytes, std::size_t count) {
  static const auto compute = waybill::engine::has_checksum_instruction() ? &waybill::engine::by_instruction
                                                                          : &waybill::engine::from_table;
  return ~compute(~crc, bytes, count);
}

}  // namespace rocksdb::crc32c
