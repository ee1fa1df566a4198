#include "alarm/notice.h"

#include <array>
#include <chrono>
#include <cstdio>

namespace waybill::alarm {
namespace {

std::string_view state_name(const Change& change) {
  return change.raised ? "raised" : "cleared";
}

void write_amount(json::Writer& out, Kind kind, int64_t amount) {
  if (kind == Kind::age) {
    out.real(static_cast<double>(amount) / 1000);
  } else {
    out.integer(amount);
  }
}

std::string amount_text(Kind kind, int64_t amount) {
  return kind == Kind::age ? std::to_string(amount / 1000) + " s" : std::to_string(amount) + " messages";
}

}  // namespace

std::string iso_time(int64_t wall_ms) {
  const std::chrono::sys_time<std::chrono::milliseconds> time{std::chrono::milliseconds(wall_ms)};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ",
                static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()), static_cast<int>(clock.hours().count()),
                static_cast<int>(clock.minutes().count()), static_cast<int>(clock.seconds().count()),
                static_cast<int>(clock.subseconds().count()));
  return text.data();
}

std::string body_of(const Notice& notice, std::string_view server) {
  const Change& change = notice.change;
  std::string text;
  json::Writer out(text);
  out.begin_object();
  out.key("id").string(notice.id);
  out.key("alarm").string(name_of(change.subject.kind));
  out.key("state").string(state_name(change));
  out.key("queue").string(change.subject.queue);
  out.key("value");
  write_amount(out, change.subject.kind, change.value);
  out.key("threshold");
  write_amount(out, change.subject.kind, change.threshold);
  out.key("time").string(iso_time(notice.time_ms));
  out.key("server").string(server);
  out.end_object();
  return text;
}

std::string describe(const Notice& notice) {
  const Change& change = notice.change;
  const Kind kind = change.subject.kind;
  return "alarm " + notice.id + " " + std::string(state_name(change)) + ": " + std::string(name_of(kind)) +
         " of queue " + change.subject.queue + " is " + amount_text(kind, change.value) +
         ", its threshold is " + amount_text(kind, change.threshold);
}

}  // namespace waybill::alarm
