#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "media/pixels.h"

namespace waybill::media {

// Colours by name. The first three have no hue.
enum class Colour : unsigned char {
  black,
  white,
  gray,
  red,
  orange,
  brown,
  yellow,
  green,
  cyan,
  blue,
  purple,
  pink
};
inline constexpr std::size_t colour_count = 12;

std::string_view name_of(Colour colour);
Colour colour_of(const uint8_t* rgb);

// What can be counted in a picture. All from 0 to 1 where nothing else is said.
struct Statistics {
  double brightness = 0;  // mean
  double contrast = 0;    // standard deviation of the brightness; 1 is half black, half white
  double range = 0;       // from the darkest 5 % to the brightest 5 %
  double chroma = 0;      // mean distance between the strongest and the weakest of red, green and blue
  double colourfulness =
      0;  // Hasler and Suesstrunk's measure: 0 gray, 15 slightly, 45 quite, over 80 extremely colourful
  double edges = 0;       // share of pixels on an edge
  double sharpness = 0;   // how much of the contrast is between neighbours
  double flatness = 0;    // share of neighbours that are the same
  double variety = 0;     // different colours for each pixel, of 4,096 that are told apart
  double skin = 0;        // share of pixels that have a colour of skin
  double blood = 0;       // share of pixels that are deep red
  double sky = 0;         // share of the upper third that is light and blue
  double vegetation = 0;  // share of the lower two thirds that is green
  std::array<double, colour_count> colours{};  // share of each

  double share(Colour colour) const { return colours[static_cast<std::size_t>(colour)]; }
};

// Of at least one pixel.
Statistics statistics_of(const Pixels& pixels);

}  // namespace waybill::media
