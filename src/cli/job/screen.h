#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace waybill::cli::job {

enum class Colour : unsigned char { none, green, red, yellow, dim, bold };

// What is written to.
struct Screen {
  std::size_t width = 0;  // 0: no bound
  bool colours = false;
  int64_t now_ms = 0;

  std::string paint(std::string_view text, Colour colour) const;
};

// The standard output: the terminal's width, or COLUMNS where it is exported; colours on a terminal alone,
// not with NO_COLOR and not where TERM is dumb.
Screen standard_screen();

}  // namespace waybill::cli::job
