#pragma once

#include <cstdint>

namespace waybill::load {

// Spreads the bits of `x` over the whole word; different for different `x`.
constexpr uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// A repeatable stream of random words (splitmix64): the same seed gives the same stream everywhere.
class Random {
 public:
  explicit constexpr Random(uint64_t seed) : state_(seed) {}

  constexpr uint64_t next() { return mix(state_ += 0x9e3779b97f4a7c15); }

  // Less than `bound`, which must be below 2^32.
  constexpr uint64_t below(uint64_t bound) { return ((next() >> 32) * bound) >> 32; }

 private:
  uint64_t state_;
};

}  // namespace waybill::load
