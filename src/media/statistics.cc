#include "media/statistics.h"

#include <algorithm>
#include <bitset>
#include <cmath>
#include <cstdint>

#include "base/check.h"

namespace waybill::media {

namespace {

constexpr std::array<std::string_view, colour_count> names = {
    "black", "white", "gray", "red", "orange", "brown", "yellow", "green", "cyan", "blue", "purple", "pink"};

struct Hsv {
  double hue = 0;  // degrees
  double saturation = 0;
  double value = 0;
};

Hsv hsv_of(const uint8_t* rgb) {
  const double red = rgb[0];
  const double green = rgb[1];
  const double blue = rgb[2];
  const double most = std::max({red, green, blue});
  const double span = most - std::min({red, green, blue});
  if (span == 0) {
    return {0, 0, most / 255};
  }
  double sixth = 0;
  if (most == red) {
    sixth = (green - blue) / span + (green < blue ? 6 : 0);
  } else if (most == green) {
    sixth = (blue - red) / span + 2;
  } else {
    sixth = (red - green) / span + 4;
  }
  return {sixth * 60, span / most, most / 255};
}

Colour colour_of_hue(const Hsv& hsv) {
  struct Sector {
    double end;
    Colour colour;
  };
  constexpr std::array<Sector, 8> sectors = {{{15, Colour::red},
                                              {45, Colour::orange},
                                              {70, Colour::yellow},
                                              {165, Colour::green},
                                              {195, Colour::cyan},
                                              {255, Colour::blue},
                                              {290, Colour::purple},
                                              {345, Colour::pink}}};
  const auto* found = std::find_if(sectors.begin(), sectors.end(), [&](Sector s) { return hsv.hue < s.end; });
  const Colour colour = found == sectors.end() ? Colour::red : found->colour;
  return colour == Colour::orange && hsv.value < 0.65 ? Colour::brown : colour;
}

// The usual box in chrominance (Chai and Ngan), and not too dark to tell.
bool is_skin(const uint8_t* rgb) {
  const double cb = 128 - 0.168736 * rgb[0] - 0.331264 * rgb[1] + 0.5 * rgb[2];
  const double cr = 128 + 0.5 * rgb[0] - 0.418688 * rgb[1] - 0.081312 * rgb[2];
  return luma(rgb) > 60 && cb >= 77 && cb <= 127 && cr >= 133 && cr <= 173;
}

bool is_blood(const uint8_t* rgb) {
  return rgb[0] >= 70 && rgb[0] <= 190 && rgb[1] * 4 < rgb[0] && rgb[2] * 4 < rgb[0];
}

bool is_sky(const uint8_t* rgb) {
  const Hsv hsv = hsv_of(rgb);
  return hsv.hue >= 180 && hsv.hue <= 250 && hsv.value >= 0.5 && hsv.saturation >= 0.12;
}

// Sums over pixels, from which the means and deviations come.
struct Sums {
  double luma = 0;
  double luma_squares = 0;
  double chroma = 0;
  double red_green = 0;
  double red_green_squares = 0;
  double yellow_blue = 0;
  double yellow_blue_squares = 0;
  double skin = 0;
  double blood = 0;
  std::array<double, colour_count> colours{};
  std::array<std::size_t, 256> histogram{};
  std::bitset<4096> seen;  // four bits of each colour

  void add(const uint8_t* rgb) {
    const double bright = media::luma(rgb);
    luma += bright;
    luma_squares += bright * bright;
    ++histogram[static_cast<std::size_t>(std::lround(bright))];
    chroma += std::max({rgb[0], rgb[1], rgb[2]}) - std::min({rgb[0], rgb[1], rgb[2]});
    const double rg = double(rgb[0]) - rgb[1];
    const double yb = 0.5 * (double(rgb[0]) + rgb[1]) - rgb[2];
    red_green += rg;
    red_green_squares += rg * rg;
    yellow_blue += yb;
    yellow_blue_squares += yb * yb;
    skin += is_skin(rgb) ? 1 : 0;
    blood += is_blood(rgb) ? 1 : 0;
    colours[static_cast<std::size_t>(colour_of(rgb))] += 1;
    seen.set(static_cast<std::size_t>((rgb[0] >> 4) << 8 | (rgb[1] >> 4) << 4 | rgb[2] >> 4));
  }
};

double variance(double sum, double squares, double count) {
  const double mean = sum / count;
  return std::max(0.0, squares / count - mean * mean);
}

double range_of(const std::array<std::size_t, 256>& histogram, double count) {
  const auto at_share = [&](double share) {
    double seen = 0;
    for (std::size_t brightness = 0; brightness < histogram.size(); ++brightness) {
      seen += static_cast<double>(histogram[brightness]);
      if (seen > share * count) {
        return static_cast<double>(brightness);
      }
    }
    return 255.0;
  };
  return (at_share(0.95) - at_share(0.05)) / 255;
}

void add_sums(const Pixels& pixels, Statistics& statistics) {
  Sums sums;
  for (std::size_t i = 0; i + 2 < pixels.rgb.size(); i += 3) {
    sums.add(&pixels.rgb[i]);
  }
  const std::size_t pixel_count = pixels.rgb.size() / 3;
  const auto count = static_cast<double>(pixel_count);
  statistics.brightness = sums.luma / count / 255;
  statistics.contrast = std::sqrt(variance(sums.luma, sums.luma_squares, count)) / 127.5;
  statistics.range = range_of(sums.histogram, count);
  statistics.chroma = sums.chroma / count / 255;
  const double deviation = std::sqrt(variance(sums.red_green, sums.red_green_squares, count) +
                                     variance(sums.yellow_blue, sums.yellow_blue_squares, count));
  const double distance = std::hypot(sums.red_green / count, sums.yellow_blue / count);
  statistics.colourfulness = deviation + 0.3 * distance;
  statistics.variety = static_cast<double>(sums.seen.count()) / std::min(count, 4096.0);
  statistics.skin = sums.skin / count;
  statistics.blood = sums.blood / count;
  for (std::size_t i = 0; i < colour_count; ++i) {
    statistics.colours[i] = sums.colours[i] / count;
  }
}

// What only shows between neighbours. Pictures of less than three rows or columns have none of it.
void add_neighbours(const Pixels& pixels, Statistics& statistics) {
  constexpr double edge = 96;
  double edges = 0;
  double same = 0;
  double laplace = 0;
  double deviation = 0;
  const double mean = statistics.brightness * 255;
  for (int y = 1; y + 1 < pixels.height; ++y) {
    for (int x = 1; x + 1 < pixels.width; ++x) {
      const auto bright = [&](int dx, int dy) { return luma(pixels.at(x + dx, y + dy)); };
      const double here = bright(0, 0);
      const double across = bright(1, -1) + 2 * bright(1, 0) + bright(1, 1) - bright(-1, -1) -
                            2 * bright(-1, 0) - bright(-1, 1);
      const double down = bright(-1, 1) + 2 * bright(0, 1) + bright(1, 1) - bright(-1, -1) -
                          2 * bright(0, -1) - bright(1, -1);
      edges += std::hypot(across, down) > edge ? 1 : 0;
      laplace += std::abs(4 * here - bright(1, 0) - bright(-1, 0) - bright(0, 1) - bright(0, -1)) / 4;
      deviation += std::abs(here - mean);
      const auto* next = pixels.at(x + 1, y);
      same += std::equal(next, next + 3, pixels.at(x, y)) ? 1 : 0;
    }
  }
  if (pixels.width < 3 || pixels.height < 3) {
    return;
  }
  const double count = double(pixels.width - 2) * (pixels.height - 2);
  statistics.edges = edges / count;
  statistics.flatness = same / count;
  statistics.sharpness = deviation > 0 ? std::min(1.0, laplace / deviation) : 0;
}

void add_places(const Pixels& pixels, Statistics& statistics) {
  const int horizon = std::max(1, pixels.height / 3);
  double sky = 0;
  double green = 0;
  for (int y = 0; y < pixels.height; ++y) {
    for (int x = 0; x < pixels.width; ++x) {
      if (y < horizon) {
        sky += is_sky(pixels.at(x, y)) ? 1 : 0;
      } else {
        green += colour_of(pixels.at(x, y)) == Colour::green ? 1 : 0;
      }
    }
  }
  statistics.sky = sky / (double(horizon) * pixels.width);
  statistics.vegetation = green / std::max(1.0, double(pixels.height - horizon) * pixels.width);
}

}  // namespace

std::string_view name_of(Colour colour) {
  return names[static_cast<std::size_t>(colour)];
}

Colour colour_of(const uint8_t* rgb) {
  const Hsv hsv = hsv_of(rgb);
  if (hsv.value < 0.2) {
    return Colour::black;
  }
  if (hsv.saturation < 0.12) {
    return hsv.value > 0.85 ? Colour::white : Colour::gray;
  }
  return colour_of_hue(hsv);
}

Statistics statistics_of(const Pixels& pixels) {
  WAYBILL_CHECK(pixels.width > 0 && pixels.height > 0 &&
                pixels.rgb.size() ==
                    3 * static_cast<std::size_t>(pixels.width) * static_cast<std::size_t>(pixels.height));
  Statistics statistics;
  add_sums(pixels, statistics);
  add_neighbours(pixels, statistics);
  add_places(pixels, statistics);
  return statistics;
}

}  // namespace waybill::media
