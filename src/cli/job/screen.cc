#include "cli/job/screen.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>

#include "base/clock.h"

namespace waybill::cli::job {
namespace {

constexpr std::size_t width_min = 20;  // less is no terminal that somebody reads

std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

std::size_t number_of(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? number : 0;
}

std::size_t terminal_width() {
  if (const auto columns = number_of(variable("COLUMNS")); columns >= width_min) {
    return columns;
  }
  winsize size{};
  const bool is_known = ::isatty(STDOUT_FILENO) == 1 && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
  return is_known && size.ws_col >= width_min ? size.ws_col : 0;
}

std::string_view code_of(Colour colour) {
  switch (colour) {
    case Colour::green:
      return "\033[32m";
    case Colour::red:
      return "\033[31m";
    case Colour::yellow:
      return "\033[33m";
    case Colour::dim:
      return "\033[2m";
    case Colour::bold:
      return "\033[1m";
    case Colour::none:
      break;
  }
  return {};
}

}  // namespace

std::string Screen::paint(std::string_view text, Colour colour) const {
  if (!colours || colour == Colour::none || text.empty()) {
    return std::string(text);
  }
  return std::string(code_of(colour)).append(text).append("\033[0m");
}

Screen standard_screen() {
  const bool wants_none = !variable("NO_COLOR").empty() || variable("TERM") == "dumb";
  return {.width = terminal_width(),
          .colours = !wants_none && ::isatty(STDOUT_FILENO) == 1,
          .now_ms = SystemClock().wall_ms()};
}

}  // namespace waybill::cli::job
