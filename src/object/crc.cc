#include "object/crc.h"

#include <libdeflate.h>

#include "base/crc_polynomial.h"

namespace waybill::object {
namespace {

// Complementing before and after cancels out between the two, so the checks combine as bare remainders do.
template <typename Word>
Word combined(Word first, Word second, uint64_t second_bytes, Word polynomial) {
  // Bits are eight times the bytes, which may not fit the exponent: three squarings do the same.
  Word power = x_to_the<Word>(second_bytes, polynomial);
  for (int squaring = 0; squaring < 3; ++squaring) {
    power = multiply(power, power, polynomial);
  }
  return multiply(power, first, polynomial) ^ second;
}

}  // namespace

uint32_t crc32(uint32_t crc, std::string_view bytes) {
  return libdeflate_crc32(crc, bytes.data(), bytes.size());
}

uint32_t combine_crc32(uint32_t first, uint32_t second, uint64_t second_bytes) {
  return combined(first, second, second_bytes, crc32_polynomial);
}

uint32_t combine_crc32c(uint32_t first, uint32_t second, uint64_t second_bytes) {
  return combined(first, second, second_bytes, crc32c_polynomial);
}

uint64_t combine_crc64nvme(uint64_t first, uint64_t second, uint64_t second_bytes) {
  return combined(first, second, second_bytes, crc64nvme_polynomial);
}

}  // namespace waybill::object
