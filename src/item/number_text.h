#pragma once

#include <string_view>

namespace waybill::item {

// What the text of a number says, before its range is looked at. Where it has more digits than fit, the
// coefficient holds the first 38 of them; `significant` tells.
struct NumberText {
  unsigned __int128 coefficient = 0;
  int significant = 0;  // digits from the first to the last that is not zero
  int exponent = 0;     // of the last digit taken into the coefficient
  bool negative = false;
};

// Reads "12", "-0.5", "1E+3", ".5", "5."; false for anything else.
bool read_number_text(std::string_view text, NumberText& number);

}  // namespace waybill::item
