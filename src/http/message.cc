#include "http/message.h"

#include <cstdint>
#include <cstring>

namespace waybill::http {
namespace {

template <typename Word>
uint64_t load(const char* bytes) {
  Word word = 0;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

// The bytes of `word` with A to Z in lower case. Its sums do not leave their bytes: seven bits are added to.
constexpr uint64_t lower(uint64_t word) {
  constexpr uint64_t ones = 0x0101010101010101ULL;
  const uint64_t seven_bits = word & (ones * 0x7f);
  const uint64_t from_a_on = seven_bits + ones * (0x80 - 'A');
  const uint64_t behind_z = seven_bits + ones * (0x7f - 'Z');
  const uint64_t capital = (from_a_on ^ behind_z) & ~word & (ones * 0x80);
  return word | capital >> 2;
}

}  // namespace

bool same_ignoring_case(const char* text, const char* lower_case, std::size_t size) {
  if (size >= 8) {
    const std::size_t last = size - 8;
    for (std::size_t i = 0; i < last; i += 8) {
      if (lower(load<uint64_t>(text + i)) != load<uint64_t>(lower_case + i)) {
        return false;
      }
    }
    return lower(load<uint64_t>(text + last)) == load<uint64_t>(lower_case + last);
  }
  if (size >= 4) {
    return lower(load<uint32_t>(text)) == load<uint32_t>(lower_case) &&
           lower(load<uint32_t>(text + size - 4)) == load<uint32_t>(lower_case + size - 4);
  }
  for (std::size_t i = 0; i < size; ++i) {
    if (lower(static_cast<unsigned char>(text[i])) != static_cast<unsigned char>(lower_case[i])) {
      return false;
    }
  }
  return true;
}

std::string_view Request::header(std::string_view lower_case_name) const {
  for (const Header& header : headers) {
    if (equals_ignoring_case(header.name, lower_case_name)) {
      return header.value;
    }
  }
  return {};
}

bool Request::has_header(std::string_view lower_case_name) const {
  for (const Header& header : headers) {
    if (equals_ignoring_case(header.name, lower_case_name)) {
      return true;
    }
  }
  return false;
}

bool Request::duplicate_header(std::string_view lower_case_name) const {
  int count = 0;
  for (const Header& header : headers) {
    count += equals_ignoring_case(header.name, lower_case_name) ? 1 : 0;
  }
  return count > 1;
}

}  // namespace waybill::http
