#include "media/crop.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace waybill::media {

namespace {

constexpr std::array<std::string_view, 4> names = {"none", "borders", "attention", "centre"};
constexpr std::array<Ratio, 9> common = {
    {{1, 1}, {5, 4}, {4, 3}, {3, 2}, {16, 9}, {4, 5}, {3, 4}, {2, 3}, {9, 16}}};
constexpr int ratio_side_max = 100;

int64_t area(Size size) {
  return int64_t{size.width} * size.height;
}

int at_least_one(int64_t side) {
  return static_cast<int>(std::max<int64_t>(side, 1));
}

std::optional<int> ratio_side(std::string_view text) {
  int side = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), side);
  const bool whole = failure == std::errc() && end == text.data() + text.size();
  return whole && side >= 1 && side <= ratio_side_max ? std::optional(side) : std::nullopt;
}

}  // namespace

Ratio nearest_ratio(Size size) {
  return *std::max_element(common.begin(), common.end(), [size](Ratio a, Ratio b) {
    return area(largest_within(size, a)) < area(largest_within(size, b));
  });
}

Size largest_within(Size size, Ratio ratio) {
  const int64_t width_by_height = int64_t{size.height} * ratio.width / ratio.height;
  if (width_by_height <= size.width) {
    return {at_least_one(width_by_height), size.height};
  }
  return {size.width, at_least_one(int64_t{size.width} * ratio.height / ratio.width)};
}

Size fit_within(Size size, int side_max) {
  const int longer = std::max(size.width, size.height);
  if (longer <= side_max) {
    return size;
  }
  const double scale = double(side_max) / longer;
  return {at_least_one(std::lround(size.width * scale)), at_least_one(std::lround(size.height * scale))};
}

std::string_view name_of(Crop crop) {
  return names[static_cast<std::size_t>(crop)];
}

std::optional<Crop> crop_named(std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? std::nullopt : std::optional(static_cast<Crop>(found - names.begin()));
}

std::optional<Ratio> ratio_named(std::string_view name) {
  const auto colon = name.find(':');
  if (colon == std::string_view::npos) {
    return std::nullopt;
  }
  const auto width = ratio_side(name.substr(0, colon));
  const auto height = ratio_side(name.substr(colon + 1));
  return width && height ? std::optional(Ratio{*width, *height}) : std::nullopt;
}

}  // namespace waybill::media
