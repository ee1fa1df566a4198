#include "event/event.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <optional>
#include <string_view>
#include <utility>

#include "base/json.h"
#include "event/row.h"
#include "item/plain_json.h"

namespace waybill::event {
namespace {

// RFC 3339, "2026-11-16T08:00:00.123Z".
std::string time_text(int64_t wall_ms) {
  using std::chrono::floor;
  const std::chrono::sys_time<std::chrono::milliseconds> time{std::chrono::milliseconds(wall_ms)};
  const auto day = floor<std::chrono::days>(time);
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

// "orchestrator/job/ID" into "/v1/orchestrator/job" and "ID". An id has no slashes (rules::id_of).
bool split_path(std::string_view record, Event& event) {
  const std::size_t slash = record.rfind('/');
  if (slash == std::string_view::npos || slash == 0 || slash + 1 == record.size()) {
    return false;
  }
  event.source = "/v1/" + std::string(record.substr(0, slash));
  event.subject = record.substr(slash + 1);
  return true;
}

}  // namespace

Result<Event> read_event(item::ItemView row) {
  Event event;
  event.id = text_of(row, "seq");
  event.type = text_of(row, "event");
  event.time_ms = integer_of(row, "at");
  if (event.type.empty()) {
    return invalid("the row of the journal has no event");
  }
  if (!split_path(text_of(row, "record"), event)) {
    return invalid("the row of the journal does not name its record");
  }
  if (const auto data = row.find("data")) {
    item::append_plain_json(event.data, *data);
  }
  return event;
}

std::string cloud_event(const Event& event) {
  std::string text;
  json::Writer out(text);
  out.begin_object();
  out.key("specversion").string("1.0");
  out.key("id").string(event.id);
  out.key("source").string(event.source);
  out.key("type").string(event.type);
  out.key("subject").string(event.subject);
  out.key("time").string(time_text(event.time_ms));
  if (!event.data.empty()) {
    out.key("datacontenttype").string("application/json");
    out.key("data").raw(event.data);
  }
  out.end_object();
  return text;
}

}  // namespace waybill::event
