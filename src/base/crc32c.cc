#include "base/crc32c.h"

#include <cstring>

#include "base/crc_polynomial.h"

#if defined(__x86_64__)
#include <nmmintrin.h>
#elif defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>
#endif

namespace waybill {
namespace {

constexpr auto table = make_crc_table(crc32c_polynomial);

uint32_t by_table(uint32_t crc, std::string_view bytes) {
  for (const char c : bytes) {
    crc = (crc >> 8) ^ table[(crc ^ static_cast<unsigned char>(c)) & 0xff];
  }
  return crc;
}

#if defined(__x86_64__) || defined(__ARM_FEATURE_CRC32)
constexpr std::size_t step_bytes = 8;

uint64_t load_word(const char* bytes) {
  uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}
#endif

#if defined(__x86_64__)
// The instruction takes three cycles, and a new one can begin in each: three lanes side by side keep it busy.
// Two rounds of them are almost a block of 64 KiB.
constexpr std::size_t lane_bytes = 10'880;
constexpr std::size_t round_bytes = 3 * lane_bytes;
static_assert(lane_bytes % step_bytes == 0);

// Moves a remainder on by one lane's length.
uint32_t moved_on(uint64_t remainder) {
  static constexpr uint32_t lane_power = x_to_the<uint32_t>(8 * lane_bytes, crc32c_polynomial);
  return multiply(lane_power, static_cast<uint32_t>(remainder), crc32c_polynomial);
}

__attribute__((target("sse4.2"))) uint32_t in_lanes(uint32_t crc, const char* bytes) {
  uint64_t first = crc;
  uint64_t second = 0;
  uint64_t third = 0;
  for (std::size_t at = 0; at < lane_bytes; at += step_bytes) {
    first = _mm_crc32_u64(first, load_word(bytes + at));
    second = _mm_crc32_u64(second, load_word(bytes + lane_bytes + at));
    third = _mm_crc32_u64(third, load_word(bytes + 2 * lane_bytes + at));
  }
  return moved_on(moved_on(first) ^ second) ^ static_cast<uint32_t>(third);
}

__attribute__((target("sse4.2"))) uint32_t by_instruction(uint32_t crc, std::string_view bytes) {
  for (; bytes.size() >= round_bytes; bytes.remove_prefix(round_bytes)) {
    crc = in_lanes(crc, bytes.data());
  }
  uint64_t wide = crc;
  for (; bytes.size() >= step_bytes; bytes.remove_prefix(step_bytes)) {
    wide = _mm_crc32_u64(wide, load_word(bytes.data()));
  }
  return by_table(static_cast<uint32_t>(wide), bytes);
}
#elif defined(__ARM_FEATURE_CRC32)
uint32_t by_instruction(uint32_t crc, std::string_view bytes) {
  for (; bytes.size() >= step_bytes; bytes.remove_prefix(step_bytes)) {
    crc = __crc32cd(crc, load_word(bytes.data()));
  }
  return by_table(crc, bytes);
}
#else
constexpr auto& by_instruction = by_table;
#endif

}  // namespace

bool has_crc32c_instruction() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("sse4.2") != 0;
#elif defined(__ARM_FEATURE_CRC32)
  return true;
#else
  return false;
#endif
}

uint32_t crc32c(uint32_t crc, std::string_view bytes) {
  static const auto compute = has_crc32c_instruction() ? &by_instruction : &by_table;
  return ~compute(~crc, bytes);
}

}  // namespace waybill
