#include <cstring>

#include "base/crc_polynomial.h"
#include "object/crc.h"

#if defined(__x86_64__)
#include <wmmintrin.h>
#endif

namespace waybill::object {
namespace {

constexpr auto table = make_crc_table(crc64nvme_polynomial);

uint64_t by_table(uint64_t crc, std::string_view bytes) {
  for (const char c : bytes) {
    crc = (crc >> 8) ^ table[(crc ^ static_cast<unsigned char>(c)) & 0xff];
  }
  return crc;
}

#if defined(__x86_64__)
constexpr std::size_t lane_bytes = 16;
constexpr std::size_t lane_count = 4;
constexpr std::size_t round_bytes = lane_bytes * lane_count;
constexpr std::size_t folded_bytes_min = 2 * round_bytes;

// A lane is a polynomial of 128 bits whose first eight bytes are the higher half. To move it on by n bits its
// halves are multiplied with x^(n+64) and x^n. Reflected, the instruction's product is one x too much, so
// both exponents are one less.
constexpr uint64_t high_factor(uint64_t bits) {
  return x_to_the<uint64_t>(bits + 63, crc64nvme_polynomial);
}

constexpr uint64_t low_factor(uint64_t bits) {
  return x_to_the<uint64_t>(bits - 1, crc64nvme_polynomial);
}

__attribute__((target("pclmul,sse4.1"))) __m128i load_lane(const char* bytes) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
}

__attribute__((target("pclmul,sse4.1"))) __m128i moved_on(__m128i lane, __m128i factors) {
  return _mm_xor_si128(_mm_clmulepi64_si128(lane, factors, 0x00), _mm_clmulepi64_si128(lane, factors, 0x11));
}

__attribute__((target("pclmul,sse4.1"))) __m128i factors_for(uint64_t high, uint64_t low) {
  return _mm_set_epi64x(static_cast<int64_t>(low), static_cast<int64_t>(high));
}

// Takes whole rounds off the front of `bytes`, of which there are at least folded_bytes_min.
__attribute__((target("pclmul,sse4.1"))) uint64_t by_folding(uint64_t crc, std::string_view bytes) {
  static constexpr uint64_t round_high = high_factor(8 * round_bytes);
  static constexpr uint64_t round_low = low_factor(8 * round_bytes);
  static constexpr uint64_t lane_high = high_factor(8 * lane_bytes);
  static constexpr uint64_t lane_low = low_factor(8 * lane_bytes);
  __m128i lanes[lane_count];
  for (std::size_t i = 0; i < lane_count; ++i) {
    lanes[i] = load_lane(bytes.data() + i * lane_bytes);
  }
  lanes[0] = _mm_xor_si128(lanes[0], _mm_cvtsi64_si128(static_cast<int64_t>(crc)));
  bytes.remove_prefix(round_bytes);
  const __m128i round_factors = factors_for(round_high, round_low);
  for (; bytes.size() >= round_bytes; bytes.remove_prefix(round_bytes)) {
    for (std::size_t i = 0; i < lane_count; ++i) {
      lanes[i] = _mm_xor_si128(moved_on(lanes[i], round_factors), load_lane(bytes.data() + i * lane_bytes));
    }
  }
  const __m128i lane_factors = factors_for(lane_high, lane_low);
  __m128i all = lanes[0];
  for (std::size_t i = 1; i < lane_count; ++i) {
    all = _mm_xor_si128(moved_on(all, lane_factors), lanes[i]);
  }
  char folded[lane_bytes];
  std::memcpy(folded, &all, sizeof(folded));
  return by_table(by_table(0, {folded, sizeof(folded)}), bytes);
}

bool can_fold() {
  static const bool can = __builtin_cpu_supports("pclmul") != 0 && __builtin_cpu_supports("sse4.1") != 0;
  return can;
}
#endif

}  // namespace

uint64_t crc64nvme(uint64_t crc, std::string_view bytes) {
#if defined(__x86_64__)
  if (bytes.size() >= folded_bytes_min && can_fold()) {
    return ~by_folding(~crc, bytes);
  }
#endif
  return ~by_table(~crc, bytes);
}

}  // namespace waybill::object
