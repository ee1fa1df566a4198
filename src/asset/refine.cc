#include "asset/filters.h"
#include "asset/png_reader.h"
#include "asset/png_writer.h"
#include "asset/stages.h"

namespace waybill::asset {

namespace {

// Calculating takes some 40 bytes a pixel.
constexpr std::size_t refined_pixels_max = std::size_t{8} << 20;

Status check_size(const Image& image, int scale) {
  const auto times = static_cast<std::size_t>(scale) * static_cast<std::size_t>(scale);
  if (image.pixels() * times <= refined_pixels_max) {
    return {};
  }
  return Error{ErrorKind::too_large,
               "a picture of " + std::to_string(image.width) + " x " + std::to_string(image.height) +
                   " pixels is too large to be made " + std::to_string(scale) +
                   " times as wide and high; use a smaller scale",
               {}};
}

}  // namespace

Result<Made> refine(Request& request) {
  const int scale = request.parameters.whole("scale", {.fallback = 2, .least = 1, .most = 4});
  const double strength = request.parameters.number("denoise", {.fallback = 0.5, .least = 0, .most = 1});
  const double amount = request.parameters.number("sharpen", {.fallback = 0.6, .least = 0, .most = 2});
  WAYBILL_TRY(request.parameters.finish());
  WAYBILL_TRY_ASSIGN(const Image image, read_png(request.sources.front().bytes));
  WAYBILL_TRY(check_size(image, scale));
  const Canvas before = canvas_of(image);
  const Canvas quiet = denoised(before, static_cast<float>(strength));
  Canvas larger = scale == 1 ? quiet : resampled(quiet, image.width * scale, image.height * scale);
  const float gain = stretch_levels(larger);
  const Image refined = image_of(sharpened(larger, static_cast<float>(amount)));
  Made made{write_png(refined), {}};
  made.metrics = {{"width_pixels", static_cast<double>(refined.width)},
                  {"height_pixels", static_cast<double>(refined.height)},
                  {"noise_before", noise_of(before)},
                  {"noise_after", noise_of(quiet)},
                  {"contrast_gain", static_cast<double>(gain)}};
  return made;
}

}  // namespace waybill::asset
