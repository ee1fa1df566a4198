#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace waybill::cli::job {

// `text` fit for a line of a terminal: line breaks and tabs are spaces; other control characters, marks that
// turn the direction of writing, and bytes that are no UTF-8 are '?'. Records hold what anybody wrote, and no
// record may command the terminal of who looks at it.
std::string printable(std::string_view text);

// How many places a printable text takes on a terminal: two for East Asian letters and pictures.
std::size_t width_of(std::string_view text);

// The text in at most `width` places (at least 1); where something is cut off, "…" stands at the end.
std::string cut_to(std::string_view text, std::size_t width);

}  // namespace waybill::cli::job
