#include "intake/timestamp.h"

#include <charconv>
#include <cstdio>
#include <optional>

namespace waybill::intake {
namespace {

constexpr int64_t us_per_second = 1'000'000;
constexpr int64_t seconds_per_day = 86'400;

int64_t floor_divide(int64_t value, int64_t by) {
  return value / by - (value % by < 0 ? 1 : 0);
}

// Days since 1970 of a date of the proleptic Gregorian calendar, and back. std::chrono::year ends at 32767.
int64_t days_of(int64_t year, int64_t month, int64_t day) {
  year -= month <= 2 ? 1 : 0;
  const int64_t era = floor_divide(year, 400);
  const int64_t year_of_era = year - era * 400;
  const int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146'097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719'468;
}

struct Date {
  int64_t year;
  int64_t month;
  int64_t day;
};

Date date_of(int64_t days) {
  days += 719'468;
  const int64_t era = floor_divide(days, 146'097);
  const int64_t day_of_era = days - era * 146'097;
  const int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int64_t shifted = (5 * day_of_year + 2) / 153;
  const int64_t month = shifted < 10 ? shifted + 3 : shifted - 9;
  return {year_of_era + era * 400 + (month <= 2 ? 1 : 0), month, day_of_year - (153 * shifted + 2) / 5 + 1};
}

// Reads a text from its beginning.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : rest_(text) {}

  std::optional<int64_t> number() {
    int64_t value = 0;
    const auto [end, failure] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (failure != std::errc() || value < 0 || rest_.starts_with('-')) {
      return {};
    }
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }

  bool take(std::string_view wanted) {
    const bool found = rest_.starts_with(wanted);
    rest_.remove_prefix(found ? wanted.size() : 0);
    return found;
  }

  // Digits behind a point, as millionths.
  std::optional<int64_t> fraction() {
    if (!take(".")) {
      return 0;
    }
    int64_t us = 0;
    int64_t weight = us_per_second / 10;
    for (; !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9'; rest_.remove_prefix(1)) {
      us += weight * (rest_.front() - '0');
      weight /= 10;
    }
    return us;
  }

  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

std::optional<int64_t> clock_us(Cursor& cursor) {
  const auto hours = cursor.number();
  const bool first = cursor.take(":");
  const auto minutes = cursor.number();
  const bool second = cursor.take(":");
  const auto seconds = cursor.number();
  const auto fraction = cursor.fraction();
  if (!hours || !minutes || !seconds || !fraction || !first || !second || *hours > 24 || *minutes > 59 ||
      *seconds > 60) {
    return {};
  }
  return ((*hours * 60 + *minutes) * 60 + *seconds) * us_per_second + *fraction;
}

// "+00", "-03:30", "+05:53:28"; nothing counts as UTC.
std::optional<int64_t> offset_us(Cursor& cursor) {
  const bool ahead = cursor.take("+");
  if (!ahead && !cursor.take("-")) {
    return 0;
  }
  int64_t seconds = 0;
  int64_t weight = 3600;
  do {
    const auto part = cursor.number();
    if (!part || weight == 0) {
      return {};
    }
    seconds += *part * weight;
    weight /= 60;
  } while (cursor.take(":"));
  return (ahead ? seconds : -seconds) * us_per_second;
}

std::optional<int64_t> parse(std::string_view text) {
  const bool before_christ = text.ends_with(" BC");
  text.remove_suffix(before_christ ? 3 : 0);
  Cursor cursor(text);
  const auto years = cursor.number();
  const bool first = cursor.take("-");
  const auto month = cursor.number();
  const bool second = cursor.take("-");
  const auto day = cursor.number();
  if (!years || !month || !day || !first || !second || *month < 1 || *month > 12 || *day < 1 || *day > 31) {
    return {};
  }
  const bool has_clock = cursor.take(" ") || cursor.take("T");
  const auto clock = has_clock ? clock_us(cursor) : std::optional<int64_t>(0);
  const auto offset = clock ? offset_us(cursor) : std::nullopt;
  if (!offset || !cursor.at_end()) {
    return {};
  }
  const int64_t year = before_christ ? 1 - *years : *years;
  int64_t us = 0;
  const bool is_too_far =
      __builtin_mul_overflow(days_of(year, *month, *day), seconds_per_day * us_per_second, &us) ||
      __builtin_add_overflow(us, *clock - *offset, &us);
  return is_too_far ? std::nullopt : std::optional(us);
}

}  // namespace

Result<int64_t> parse_timestamp(std::string_view text) {
  const auto us = parse(text);
  if (!us) {
    return invalid("\"" + std::string(text) + "\" is no moment");
  }
  return *us;
}

int64_t ms_of(int64_t us) {
  return floor_divide(us, 1000);
}

int64_t seconds_of(int64_t us) {
  return floor_divide(us, us_per_second);
}

std::string iso_text(int64_t us, Precision precision) {
  constexpr int64_t year_max = 9999;
  const int64_t seconds = seconds_of(us);
  const int64_t fraction = us - seconds * us_per_second;
  const int64_t days = floor_divide(seconds, seconds_per_day);
  const int64_t rest = seconds - days * seconds_per_day;
  const Date date = date_of(days);
  const bool is_plain = date.year >= 0 && date.year <= year_max;
  char text[64];
  const int length = std::snprintf(
      text, sizeof(text),
      is_plain ? "%04lld-%02lld-%02lldT%02lld:%02lld:%02lld" : "%+07lld-%02lld-%02lldT%02lld:%02lld:%02lld",
      static_cast<long long>(date.year), static_cast<long long>(date.month), static_cast<long long>(date.day),
      static_cast<long long>(rest / 3600), static_cast<long long>(rest / 60 % 60),
      static_cast<long long>(rest % 60));
  std::string made(text, static_cast<std::size_t>(length));
  if (precision != Precision::seconds) {
    const bool is_fine = precision == Precision::microseconds;
    const int digits = std::snprintf(text, sizeof(text), is_fine ? ".%06lld" : ".%03lld",
                                     static_cast<long long>(is_fine ? fraction : fraction / 1000));
    made.append(text, static_cast<std::size_t>(digits));
  }
  return made + "Z";
}

}  // namespace waybill::intake
