#include "base/iso_time.h"

#include <charconv>
#include <chrono>
#include <cstddef>

namespace waybill {

namespace {

using std::chrono::day;
using std::chrono::days;
using std::chrono::milliseconds;
using std::chrono::month;
using std::chrono::sys_days;
using std::chrono::year;
using std::chrono::year_month_day;

constexpr int64_t minute_ms = 60'000;

// Reads a text from its beginning.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : rest_(text) {}

  std::optional<int> digits(std::size_t count) {
    int value = 0;
    const auto part = rest_.substr(0, count);
    const auto [end, failure] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (part.size() != count || failure != std::errc() || end != part.data() + count || part.front() == '-') {
      return {};
    }
    rest_.remove_prefix(count);
    return value;
  }

  bool take(char wanted) {
    const bool found = rest_.starts_with(wanted);
    rest_.remove_prefix(found ? 1 : 0);
    return found;
  }

  bool at_digit() const { return !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9'; }
  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

std::optional<int64_t> date_ms(Cursor& cursor) {
  const auto years = cursor.digits(4);
  const bool first = cursor.take('-');
  const auto months = cursor.digits(2);
  const bool second = cursor.take('-');
  const auto day_of_month = cursor.digits(2);
  if (!years || !months || !day_of_month || !first || !second) {
    return {};
  }
  const year_month_day date{year(*years), month(static_cast<unsigned>(*months)),
                            day(static_cast<unsigned>(*day_of_month))};
  if (!date.ok()) {
    return {};
  }
  return milliseconds(sys_days(date).time_since_epoch()).count();
}

// Parts of a second, of which milliseconds count.
std::optional<int64_t> fraction_ms(Cursor& cursor) {
  if (!cursor.take('.')) {
    return 0;
  }
  if (!cursor.at_digit()) {
    return {};
  }
  int64_t ms = 0;
  for (int64_t weight = 100; cursor.at_digit(); weight /= 10) {
    ms += weight * *cursor.digits(1);
  }
  return ms;
}

std::optional<int64_t> time_ms(Cursor& cursor) {
  const auto hours = cursor.digits(2);
  const bool first = cursor.take(':');
  const auto minutes = cursor.digits(2);
  const bool second = cursor.take(':');
  const auto seconds = cursor.digits(2);
  if (!hours || !minutes || !seconds || !first || !second || *hours > 23 || *minutes > 59 || *seconds > 60) {
    return {};
  }
  const auto fraction = fraction_ms(cursor);
  if (!fraction) {
    return {};
  }
  return (int64_t{*hours} * 60 + *minutes) * minute_ms + *seconds * int64_t{1000} + *fraction;
}

// What is to be taken away to be in UTC.
std::optional<int64_t> offset_ms(Cursor& cursor) {
  if (cursor.take('Z')) {
    return 0;
  }
  const bool ahead = cursor.take('+');
  if (!ahead && !cursor.take('-')) {
    return {};
  }
  const auto hours = cursor.digits(2);
  cursor.take(':');
  const auto minutes = cursor.digits(2);
  if (!hours || !minutes || *hours > 23 || *minutes > 59) {
    return {};
  }
  const int64_t ms = (int64_t{*hours} * 60 + *minutes) * minute_ms;
  return ahead ? ms : -ms;
}

void put_digits(char* at, int value, int count) {
  for (int i = count - 1; i >= 0; --i) {
    at[i] = static_cast<char>('0' + value % 10);
    value /= 10;
  }
}

}  // namespace

std::string iso_time(int64_t ms) {
  const auto whole_days = std::chrono::floor<days>(milliseconds(ms));
  const year_month_day date{sys_days(whole_days)};
  const auto rest = static_cast<int>(ms - milliseconds(whole_days).count());
  std::string text = "0000-00-00T00:00:00.000Z";
  put_digits(text.data(), static_cast<int>(date.year()), 4);
  put_digits(text.data() + 5, static_cast<int>(static_cast<unsigned>(date.month())), 2);
  put_digits(text.data() + 8, static_cast<int>(static_cast<unsigned>(date.day())), 2);
  put_digits(text.data() + 11, rest / 3'600'000, 2);
  put_digits(text.data() + 14, rest / 60'000 % 60, 2);
  put_digits(text.data() + 17, rest / 1000 % 60, 2);
  put_digits(text.data() + 20, rest % 1000, 3);
  return text;
}

std::optional<int64_t> parse_iso_time(std::string_view text) {
  Cursor cursor(text);
  const auto date = date_ms(cursor);
  if (!date || !cursor.take('T')) {
    return {};
  }
  const auto time = time_ms(cursor);
  if (!time) {
    return {};
  }
  const auto offset = offset_ms(cursor);
  if (!offset || !cursor.at_end()) {
    return {};
  }
  return *date + *time - *offset;
}

}  // namespace waybill
