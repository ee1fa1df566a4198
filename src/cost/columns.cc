#include "cost/columns.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace waybill::cost {
namespace {

// Characters, not bytes: names of tables are ASCII, our own words may have more.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string formatted(double value, int decimals) {
  constexpr std::size_t length_max = 64;
  std::string text(length_max, '\0');
  const int length = std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
  text.resize(std::min(static_cast<std::size_t>(length), length_max - 1));
  return text;
}

std::string two_digits(unsigned number) {
  return (number < 10 ? "0" : "") + std::to_string(number);
}

}  // namespace

std::string in_columns(const std::vector<std::vector<std::string>>& rows, std::size_t texts) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], width_of(row[i]));
    }
  }
  std::string out;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string space(widths[i] - width_of(row[i]), ' ');
      line += "  " + (i < texts ? row[i] + space : space + row[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

std::string grouped(double value, int decimals) {
  std::string text = formatted(value, decimals);
  std::size_t at = std::min(text.find('.'), text.size());
  const std::size_t first = text.starts_with('-') ? 1 : 0;
  while (at > first + 3) {
    at -= 3;
    text.insert(at, ",");
  }
  return text;
}

std::string money(double amount) {
  constexpr double half_a_hundredth = 0.005;
  return amount > 0 && amount < half_a_hundredth ? "< 0.01" : grouped(amount, 2);
}

std::string utc_minute(int64_t minute) {
  const std::chrono::sys_time<std::chrono::minutes> moment{std::chrono::minutes(minute)};
  const auto day = std::chrono::floor<std::chrono::days>(moment);
  const std::chrono::year_month_day date(day);
  const auto minutes = static_cast<unsigned>((moment - day).count());
  return std::to_string(static_cast<int>(date.year())) + "-" +
         two_digits(static_cast<unsigned>(date.month())) + "-" +
         two_digits(static_cast<unsigned>(date.day())) + " " + two_digits(minutes / 60) + ":" +
         two_digits(minutes % 60);
}

std::string duration(int64_t minutes) {
  constexpr int64_t hour = 60;
  constexpr int64_t day = 24 * hour;
  const auto two = [](int64_t large, std::string_view large_unit, int64_t small,
                      std::string_view small_unit) {
    std::string text = std::to_string(large).append(" ").append(large_unit);
    return small == 0 ? text : text.append(" ").append(std::to_string(small)).append(" ").append(small_unit);
  };
  if (minutes >= day) {
    return two(minutes / day, "d", minutes % day / hour, "h");
  }
  return minutes >= hour ? two(minutes / hour, "h", minutes % hour, "min") : std::to_string(minutes) + " min";
}

std::string in_bytes(int64_t bytes) {
  constexpr std::string_view units[] = {"KB", "MB", "GB"};
  constexpr double step = 1024;
  auto size = static_cast<double>(bytes);
  if (size < step) {
    return std::to_string(bytes) + " bytes";
  }
  std::size_t unit = 0;
  for (size /= step; size >= step && unit + 1 < std::size(units); ++unit) {
    size /= step;
  }
  return grouped(size, size < 10 ? 2 : 1) + " " + std::string(units[unit]);
}

}  // namespace waybill::cost
