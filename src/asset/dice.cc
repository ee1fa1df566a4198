#include "asset/dice.h"

#include <cmath>
#include <string>

#include "asset/digest.h"
#include "base/bytes.h"

namespace waybill::asset {

namespace {

// The mixing of splitmix64.
uint64_t mixed(uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31);
}

float lattice(int x, int y, uint32_t salt) {
  const uint64_t key = (static_cast<uint64_t>(static_cast<uint32_t>(x)) << 32 | static_cast<uint32_t>(y)) ^
                       (static_cast<uint64_t>(salt) * 0x9e3779b97f4a7c15U);
  return static_cast<float>(mixed(key) >> 40) / static_cast<float>(1 << 24);
}

}  // namespace

Dice::Dice(std::string_view words, int64_t seed) {
  std::string text;
  append_u64_be(text, static_cast<uint64_t>(seed));
  text += words;
  state_ = load_u64_be(sha256(text).data());
}

uint64_t Dice::next() {
  state_ += 0x9e3779b97f4a7c15U;
  return mixed(state_);
}

float Dice::between(float least, float most) {
  return least + (most - least) * (static_cast<float>(next() >> 40) / static_cast<float>(1 << 24));
}

int Dice::below(int count) {
  return static_cast<int>(next() % static_cast<uint64_t>(count));
}

bool Dice::chance(float share) {
  return between(0, 1) < share;
}

float noise(float x, float y, uint32_t salt) {
  const float left = std::floor(x);
  const float low = std::floor(y);
  const float across = x - left;
  const float up = y - low;
  const float share_x = across * across * (3 - 2 * across);
  const float share_y = up * up * (3 - 2 * up);
  const int ix = static_cast<int>(left);
  const int iy = static_cast<int>(low);
  const float bottom = lattice(ix, iy, salt) * (1 - share_x) + lattice(ix + 1, iy, salt) * share_x;
  const float top = lattice(ix, iy + 1, salt) * (1 - share_x) + lattice(ix + 1, iy + 1, salt) * share_x;
  return bottom * (1 - share_y) + top * share_y;
}

float rough_noise(float x, float y, uint32_t salt) {
  return (noise(x, y, salt) * 4 + noise(x * 2, y * 2, salt + 1) * 2 + noise(x * 4, y * 4, salt + 2)) / 7;
}

}  // namespace waybill::asset
