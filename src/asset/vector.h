#pragma once

#include <cmath>

// Small vectors. Only operations that IEEE 754 rounds exactly, so that results are the same everywhere.
namespace waybill::asset {

struct Vec2 {
  float x = 0;
  float y = 0;
};

struct Vec3 {
  float x = 0;
  float y = 0;
  float z = 0;
};

inline Vec3 operator+(Vec3 a, Vec3 b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline Vec3 operator-(Vec3 a, Vec3 b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline Vec3 operator*(Vec3 a, float by) {
  return {a.x * by, a.y * by, a.z * by};
}
// Part by part, as light falls on a colour.
inline Vec3 operator*(Vec3 a, Vec3 b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}
inline float dot(Vec3 a, Vec3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline Vec3 cross(Vec3 a, Vec3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline float length(Vec3 a) {
  return std::sqrt(dot(a, a));
}
// Of length 1; `otherwise` where `a` has no direction.
inline Vec3 unit(Vec3 a, Vec3 otherwise = {0, 0, 1}) {
  const float size = length(a);
  return size > 1e-20F ? a * (1 / size) : otherwise;
}
inline float mix(float a, float b, float share) {
  return a + (b - a) * share;
}
inline Vec3 mix(Vec3 a, Vec3 b, float share) {
  return a + (b - a) * share;
}
inline float clamped(float value, float least, float most) {
  return value < least ? least : value > most ? most : value;
}
// 0 below `from`, 1 above `to`, smooth between.
inline float smooth_step(float from, float to, float value) {
  const float share = clamped((value - from) / (to - from), 0, 1);
  return share * share * (3 - 2 * share);
}

}  // namespace waybill::asset
