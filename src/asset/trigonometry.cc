#include "asset/trigonometry.h"

#include <cmath>

namespace waybill::asset {

double sine(double radians) {
  // Into [-pi/2, pi/2], where the series of eight terms is exact enough.
  const double half_turns = std::floor(radians / pi + 0.5);
  const double x = radians - half_turns * pi;
  const double square = x * x;
  double term = x;
  double sum = x;
  for (int n = 1; n <= 7; ++n) {
    term *= -square / ((2.0 * n) * (2.0 * n + 1));
    sum += term;
  }
  const bool is_odd = half_turns - 2 * std::floor(half_turns / 2) != 0;
  return is_odd ? -sum : sum;
}

double cosine(double radians) {
  return sine(radians + pi / 2);
}

}  // namespace waybill::asset
