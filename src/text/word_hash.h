#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace waybill::text {

// Hashes for tables of words. Texts come from strangers: the seed is to be by chance, so that nobody can make
// up words that all meet in one place.

inline uint64_t mix(uint64_t a, uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

inline uint64_t hash_pair(uint64_t low, uint64_t high, uint64_t seed) {
  constexpr uint64_t odd = 0x9e3779b97f4a7c15;
  return mix(mix(low ^ seed, odd) ^ high, seed | 1);
}

inline uint64_t hash_word(std::string_view word, uint64_t seed) {
  uint64_t hash = seed ^ word.size();
  while (!word.empty()) {
    uint64_t parts[2] = {};
    const std::size_t taken = word.size() < sizeof(parts) ? word.size() : sizeof(parts);
    std::memcpy(parts, word.data(), taken);
    hash = hash_pair(parts[0] ^ hash, parts[1], seed);
    word.remove_prefix(taken);
  }
  return hash;
}

}  // namespace waybill::text
