#pragma once

#include <string_view>

#include "text/figures.h"

namespace waybill::bench {

// The figures of a text as one would find them with ICU and a hash map: over the whole text at once, word by
// word. By the same rules (src/text/README.md), but for a handful of rare characters that those name.
text::Figures count_with_icu(std::string_view utf8);

}  // namespace waybill::bench
