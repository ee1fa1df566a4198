#pragma once

#include <cstdint>
#include <string_view>

namespace waybill::asset {

// Chance that repeats: the same words and seed give the same throws. Decides how a picture looks, and nothing
// that has to be kept from guessing.
//
// Thread safety: none.
class Dice {
 public:
  Dice(std::string_view words, int64_t seed);

  uint64_t next();
  float between(float least, float most);
  int below(int count);  // 0 to count - 1
  bool chance(float share);

 private:
  uint64_t state_;
};

// Noise over the plane, smooth, from 0 to 1, with features of about one unit.
float noise(float x, float y, uint32_t salt);

// The same with three octaves: features of 1, 1/2 and 1/4 of a unit.
float rough_noise(float x, float y, uint32_t salt);

}  // namespace waybill::asset
