#pragma once

#include <string>

namespace waybill::cli::tour {

// A picture to work on, as a PNG file: a landscape at dusk.
std::string make_picture();

}  // namespace waybill::cli::tour
