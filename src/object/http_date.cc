#include "object/http_date.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>

namespace waybill::object {
namespace {

using std::chrono::sys_days;

constexpr std::array<std::string_view, 7> day_names{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
constexpr std::array<std::string_view, 7> long_day_names{"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                         "Thursday", "Friday", "Saturday"};
constexpr std::array<std::string_view, 12> month_names{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                       "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
constexpr int64_t day_seconds = 86'400;

// Takes a date apart from its front; once something did not fit, `fits` stays false.
struct Scanner {
  std::string_view rest;
  bool fits = true;

  void expect(std::string_view text) {
    fits = fits && rest.starts_with(text);
    rest.remove_prefix(fits ? text.size() : 0);
  }

  int number(std::size_t digits) {
    int value = 0;
    fits = fits && rest.size() >= digits;
    for (std::size_t i = 0; fits && i < digits; ++i) {
      fits = rest[i] >= '0' && rest[i] <= '9';
      value = value * 10 + (rest[i] - '0');
    }
    rest.remove_prefix(fits ? digits : 0);
    return value;
  }

  // The place in `names` of the name that comes next.
  template <std::size_t count>
  int name(const std::array<std::string_view, count>& names) {
    const auto found =
        std::find_if(names.begin(), names.end(), [&](auto candidate) { return rest.starts_with(candidate); });
    fits = fits && found != names.end();
    rest.remove_prefix(fits ? found->size() : 0);
    return static_cast<int>(found - names.begin());
  }
};

struct Date {
  int year = 0;
  int month = 0;  // from 0
  int day = 0;
  int seconds = 0;  // of the day
};

int scan_time(Scanner& scanner) {
  const int hours = scanner.number(2);
  scanner.expect(":");
  const int minutes = scanner.number(2);
  scanner.expect(":");
  const int seconds = scanner.number(2);
  scanner.fits = scanner.fits && hours < 24 && minutes < 60 && seconds <= 60;
  return (hours * 60 + minutes) * 60 + seconds;
}

std::optional<int64_t> finish(const Scanner& scanner, const Date& date) {
  const std::chrono::year_month_day day(std::chrono::year(date.year),
                                        std::chrono::month(static_cast<unsigned>(date.month) + 1),
                                        std::chrono::day(static_cast<unsigned>(date.day)));
  if (!scanner.fits || !scanner.rest.empty() || !day.ok()) {
    return std::nullopt;
  }
  return sys_days(day).time_since_epoch().count() * day_seconds + date.seconds;
}

std::optional<int64_t> parse_present_form(std::string_view text) {
  Scanner scanner{text};
  Date date;
  scanner.name(day_names);
  scanner.expect(", ");
  date.day = scanner.number(2);
  scanner.expect(" ");
  date.month = scanner.name(month_names);
  scanner.expect(" ");
  date.year = scanner.number(4);
  scanner.expect(" ");
  date.seconds = scan_time(scanner);
  scanner.expect(" GMT");
  return finish(scanner, date);
}

std::optional<int64_t> parse_long_day_form(std::string_view text) {
  Scanner scanner{text};
  Date date;
  scanner.name(long_day_names);
  scanner.expect(", ");
  date.day = scanner.number(2);
  scanner.expect("-");
  date.month = scanner.name(month_names);
  scanner.expect("-");
  const int short_year = scanner.number(2);
  date.year = short_year + (short_year < 70 ? 2000 : 1900);
  scanner.expect(" ");
  date.seconds = scan_time(scanner);
  scanner.expect(" GMT");
  return finish(scanner, date);
}

std::optional<int64_t> parse_asctime_form(std::string_view text) {
  Scanner scanner{text};
  Date date;
  scanner.name(day_names);
  scanner.expect(" ");
  date.month = scanner.name(month_names);
  scanner.expect(" ");
  const bool is_padded = scanner.rest.starts_with(' ');
  scanner.expect(is_padded ? " " : "");
  date.day = scanner.number(is_padded ? 1 : 2);
  scanner.expect(" ");
  date.seconds = scan_time(scanner);
  scanner.expect(" ");
  date.year = scanner.number(4);
  return finish(scanner, date);
}

}  // namespace

std::string http_date(int64_t seconds) {
  const auto days = std::chrono::floor<std::chrono::days>(std::chrono::seconds(seconds));
  const std::chrono::year_month_day date{sys_days(days)};
  const auto rest = static_cast<int>(seconds - days.count() * day_seconds);
  const auto weekday = std::chrono::weekday(sys_days(days)).c_encoding();
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%s, %02u %s %04d %02d:%02d:%02d GMT", day_names[weekday].data(),
                static_cast<unsigned>(date.day()),
                month_names[static_cast<unsigned>(date.month()) - 1].data(), static_cast<int>(date.year()),
                rest / 3600, rest / 60 % 60, rest % 60);
  return text.data();
}

std::optional<int64_t> parse_http_date(std::string_view text) {
  for (const auto& parse : {parse_present_form, parse_long_day_form, parse_asctime_form}) {
    if (const auto seconds = parse(text)) {
      return seconds;
    }
  }
  return std::nullopt;
}

}  // namespace waybill::object
