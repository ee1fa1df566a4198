#include "cli/job/table.h"

#include <algorithm>
#include <numeric>

#include "cli/job/text_width.h"

namespace waybill::cli::job {
namespace {

constexpr std::size_t gap = 2;
constexpr std::size_t cut_width_min = 10;

std::size_t total_of(const std::vector<std::size_t>& widths) {
  return std::accumulate(widths.begin(), widths.end(), widths.empty() ? 0 : (widths.size() - 1) * gap);
}

std::vector<std::size_t> natural_widths(const Table& table) {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    std::size_t width = width_of(printable(table.columns[i].title));
    for (const auto& row : table.rows) {
      width = std::max(width, width_of(printable(row[i].text)));
    }
    widths.push_back(width);
  }
  return widths;
}

std::string padded(const std::string& text, const std::string& painted, std::size_t width, bool to_right) {
  const std::size_t used = width_of(text);
  const std::string space(used < width ? width - used : 0, ' ');
  return to_right ? space + painted : painted + space;
}

void append_line(std::string& out, const Table& table, const std::vector<Cell>& cells,
                 const std::vector<std::size_t>& widths, const Screen& screen) {
  std::string line;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    const auto text = cut_to(printable(cells[i].text), widths[i]);
    line += i == 0 ? "" : std::string(gap, ' ');
    line += padded(text, screen.paint(text, cells[i].colour), widths[i], table.columns[i].is_number);
  }
  const auto end = line.find_last_not_of(' ');
  out.append(line, 0, end == std::string::npos ? 0 : end + 1).append("\n");
}

}  // namespace

std::vector<std::size_t> Table::widths_on(const Screen& screen) const {
  auto natural = natural_widths(*this);
  if (screen.width == 0 || total_of(natural) <= screen.width) {
    return natural;
  }
  std::vector<std::size_t> widths;
  widths.reserve(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    widths.push_back(columns[i].is_whole ? natural[i] : std::min(natural[i], cut_width_min));
  }
  while (widths.size() > 1 && total_of(widths) > screen.width) {
    widths.pop_back();
  }
  widths.front() = std::min(widths.front(), screen.width);
  std::size_t spare = screen.width - total_of(widths);
  for (std::size_t i = 0; i < widths.size(); ++i) {
    const std::size_t more = std::min(spare, natural[i] - widths[i]);
    widths[i] += more;
    spare -= more;
  }
  return widths;
}

std::string Table::text_on(const Screen& screen) const {
  const auto widths = widths_on(screen);
  std::vector<Cell> titles;
  titles.reserve(columns.size());
  for (const auto& column : columns) {
    titles.push_back({column.title, Colour::bold});
  }
  std::string out;
  append_line(out, *this, titles, widths, screen);
  for (const auto& row : rows) {
    append_line(out, *this, row, widths, screen);
  }
  return out;
}

std::vector<std::string> Table::left_out_on(const Screen& screen) const {
  std::vector<std::string> titles;
  for (std::size_t i = widths_on(screen).size(); i < columns.size(); ++i) {
    titles.push_back(columns[i].title);
  }
  return titles;
}

}  // namespace waybill::cli::job
