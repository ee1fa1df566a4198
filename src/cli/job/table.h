#pragma once

#include <string>
#include <vector>

#include "cli/job/screen.h"

namespace waybill::cli::job {

struct Column {
  std::string title;
  bool is_whole = false;   // never cut: ids and states are of no use in part
  bool is_number = false;  // to the right
};

struct Cell {
  std::string text;
  Colour colour = Colour::none;
};

// Aligned columns with two spaces between.
struct Table {
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;  // each with a cell for every column

  // How wide the columns are on a screen, as many as have room: cells are cut first (not under ten places),
  // then columns are left out from the right. At least one stays.
  std::vector<std::size_t> widths_on(const Screen& screen) const;

  // The lines, titles first, and nothing but printable characters and colours in them.
  std::string text_on(const Screen& screen) const;

  // Titles of the columns that have no room.
  std::vector<std::string> left_out_on(const Screen& screen) const;
};

}  // namespace waybill::cli::job
