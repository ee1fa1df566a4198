#include "http/amz_time.h"

#include <chrono>
#include <ctime>

namespace waybill::http {
namespace {

// The number in `count` digits at `at`, or -1.
int number_at(std::string_view text, std::size_t at, std::size_t count) {
  int number = 0;
  for (std::size_t i = at; i < at + count; ++i) {
    if (text[i] < '0' || text[i] > '9') {
      return -1;
    }
    number = number * 10 + (text[i] - '0');
  }
  return number;
}

std::optional<int64_t> seconds_of(const std::tm& parts) {
  namespace chrono = std::chrono;
  const chrono::year_month_day date{chrono::year(parts.tm_year + 1900),
                                    chrono::month(static_cast<unsigned>(parts.tm_mon + 1)),
                                    chrono::day(static_cast<unsigned>(parts.tm_mday))};
  const bool is_time = parts.tm_hour >= 0 && parts.tm_hour < 24 && parts.tm_min >= 0 && parts.tm_min < 60 &&
                       parts.tm_sec >= 0 && parts.tm_sec < 60;
  if (!date.ok() || !is_time) {
    return std::nullopt;
  }
  const int64_t days = chrono::sys_days(date).time_since_epoch().count();
  return days * 86'400 + parts.tm_hour * 3'600 + parts.tm_min * 60 + parts.tm_sec;
}

}  // namespace

std::optional<int64_t> parse_amz_time(std::string_view text) {
  if (text.size() != 16 || text[8] != 'T' || text[15] != 'Z') {
    return std::nullopt;
  }
  const int year = number_at(text, 0, 4);
  std::tm parts{};
  parts.tm_year = year - 1900;
  parts.tm_mon = number_at(text, 4, 2) - 1;
  parts.tm_mday = number_at(text, 6, 2);
  parts.tm_hour = number_at(text, 9, 2);
  parts.tm_min = number_at(text, 11, 2);
  parts.tm_sec = number_at(text, 13, 2);
  return year < 0 ? std::nullopt : seconds_of(parts);
}

std::optional<int64_t> parse_http_time(std::string_view text) {
  const std::string copy(text);
  std::tm parts{};
  const char* const end = strptime(copy.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &parts);
  if (end != copy.c_str() + copy.size()) {
    return std::nullopt;
  }
  return seconds_of(parts);
}

std::string format_amz_time(int64_t wall_seconds) {
  const std::time_t time = wall_seconds;
  std::tm parts{};
  gmtime_r(&time, &parts);
  char text[32];
  const std::size_t size = std::strftime(text, sizeof(text), "%Y%m%dT%H%M%SZ", &parts);
  return std::string(text, size);
}

}  // namespace waybill::http
