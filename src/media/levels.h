#pragma once

#include "media/pixels.h"

namespace waybill::media {

// A pixel becomes scale * pixel + offset, in each colour.
struct Levels {
  double scale = 1;
  double offset = 0;

  bool change_nothing() const { return scale == 1 && offset == 0; }
};

// What spreads the brightness of a picture over the whole range: the darkest half percent becomes black and
// the brightest half percent white. One scale for all colours, so that hues stay. Pictures with hardly any
// range are spread by four at most, around their middle: fog does not become noise.
Levels auto_levels(const Pixels& pixels);

}  // namespace waybill::media
