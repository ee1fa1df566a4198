#include "base/entropy.h"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/check.h"

#include "base/bytes.h"

namespace waybill {

uint64_t Entropy::next() {
  uint64_t value = 0;
  fill(&value, sizeof(value));
  return value;
}

void SystemEntropy::fill(void* bytes, std::size_t count) {
  // One system call serves many small requests: ids are drawn for every answer.
  constexpr std::size_t pool_bytes_max = 4096;
  thread_local std::array<char, pool_bytes_max> pool;
  thread_local std::size_t used = pool_bytes_max;
  auto* out = static_cast<char*>(bytes);
  while (count > 0) {
    if (used == pool_bytes_max) {
      const ssize_t got = ::getrandom(pool.data(), pool_bytes_max, 0);
      WAYBILL_CHECK(got > 0);
      // What a short read left unfilled is not handed out: the rest of the pool starts later.
      used = pool_bytes_max - static_cast<std::size_t>(got);
      if (used > 0) {
        std::move_backward(pool.begin(), pool.begin() + got, pool.end());
      }
    }
    const std::size_t taken = std::min(count, pool_bytes_max - used);
    std::memcpy(out, pool.data() + used, taken);
    std::memset(pool.data() + used, 0, taken);  // what was handed out is nobody else's
    used += taken;
    out += taken;
    count -= taken;
  }
}

std::string make_uuid4(Entropy& entropy) {
  std::array<unsigned char, 16> raw{};
  entropy.fill(raw.data(), raw.size());
  raw[6] = static_cast<unsigned char>((raw[6] & 0x0f) | 0x40);
  raw[8] = static_cast<unsigned char>((raw[8] & 0x3f) | 0x80);
  static constexpr char hex[] = "0123456789abcdef";
  std::string text;
  text.reserve(36);
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) {
      text.push_back('-');
    }
    text.push_back(hex[raw[i] >> 4]);
    text.push_back(hex[raw[i] & 0x0f]);
  }
  return text;
}

std::string make_request_id(Entropy& entropy) {
  constexpr std::size_t id_bytes = 52;
  std::array<unsigned char, 64> text{};  // more than is used: a round number of the processor's steps
  entropy.fill(text.data(), id_bytes);
  for (unsigned char& byte : text) {
    const auto index = static_cast<unsigned char>(byte & 31);  // of A-Z and 0-5: no bias
    byte = static_cast<unsigned char>(index < 26 ? 'A' + index : '0' + (index - 26));
  }
  return {reinterpret_cast<const char*>(text.data()), id_bytes};
}

std::string make_dated_id(int64_t ms, std::size_t time_digits, Entropy& entropy) {
  std::string chance(4, '\0');
  entropy.fill(chance.data(), chance.size());
  const std::string time = std::to_string(ms);
  return std::string(time_digits - std::min(time_digits, time.size()), '0') + time + '-' + hex_lower(chance);
}

}  // namespace waybill
