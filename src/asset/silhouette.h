#pragma once

#include "asset/image.h"

namespace waybill::asset {

// Makes the ground of a picture transparent where it is not: the colour that most of the picture's edge has
// is taken for the ground. A picture with transparent places is left as it is.
void cut_out(Image& image);

}  // namespace waybill::asset
