#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "media/tasks.h"

namespace waybill::media {

struct Size {
  int width = 0;
  int height = 0;
};

// The common ratio that costs the fewest pixels.
Ratio nearest_ratio(Size size);

// The largest of that ratio that fits; no side is 0.
Size largest_within(Size size, Ratio ratio);

// `size` made smaller, aspect kept, until no side is over `side_max`; no side is 0.
Size fit_within(Size size, int side_max);

// "none", "borders", "attention", "centre".
std::string_view name_of(Crop crop);
std::optional<Crop> crop_named(std::string_view name);

// "16:9", both sides from 1 to 100.
std::optional<Ratio> ratio_named(std::string_view name);

}  // namespace waybill::media
