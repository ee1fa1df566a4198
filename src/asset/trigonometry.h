#pragma once

// Sines that are the same, to the last bit, on every machine: those of libm choose other instructions on
// other processors, and artifacts must not depend on where they are made. Error below 1e-9.
namespace waybill::asset {

inline constexpr double pi = 3.14159265358979323846;

double sine(double radians);
double cosine(double radians);

}  // namespace waybill::asset
