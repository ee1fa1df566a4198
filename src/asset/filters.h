#pragma once

#include "asset/canvas.h"

// What makes a picture better. All leave transparent places transparent.
namespace waybill::asset {

// Smooths what differs by little from its neighbours, and leaves edges. `strength` from 0 (nothing) to 1.
Canvas denoised(const Canvas& canvas, float strength);

// To another size, up or down, with Lanczos' filter of three lobes. Both sides must be at least 1.
Canvas resampled(const Canvas& canvas, int width, int height);

// Adds `amount` of what a slight blur would take away.
Canvas sharpened(const Canvas& canvas, float amount);

// Stretches brightness so that nearly all of the range is used; returns by how much, 1 to 1.5.
float stretch_levels(Canvas& canvas);

// The standard deviation of the noise, from 0 to 1, measured where the picture is opaque (after Immerkær).
double noise_of(const Canvas& canvas);

}  // namespace waybill::asset
