#include "api/jobs/journal_json.h"

#include <charconv>

#include "api/jobs/record_json.h"
#include "base/iso_time.h"
#include "base/json.h"

namespace waybill::api::jobs {
namespace {

constexpr std::string_view told_as_they_are[] = {"actor", "action", "from", "to", "why", "rule", "event"};

int64_t integer_of(item::ItemView row, std::string_view name) {
  int64_t number = 0;
  if (const auto value = row.find(name); value && value->type() == item::Type::number) {
    const auto text = value->bytes();
    std::from_chars(text.data(), text.data() + text.size(), number);
  }
  return number;
}

std::string_view text_of(item::ItemView row, std::string_view name) {
  const auto value = row.find(name);
  return value && value->type() == item::Type::string ? value->bytes() : std::string_view();
}

// "orchestrator/job/ID": slashes of the id itself are escaped.
std::string_view id_of_path(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

}  // namespace

uint64_t seq_of(item::ItemView row) {
  return static_cast<uint64_t>(integer_of(row, "seq"));
}

std::string_view path_of_row(item::ItemView row) {
  return text_of(row, "record");
}

std::string_view action_of_row(item::ItemView row) {
  return text_of(row, "action");
}

void append_journal_row(std::string& out, item::ItemView row, WithId with_id) {
  json::Writer writer(out);
  writer.begin_object();
  if (with_id == WithId::yes) {
    writer.key("id").string(id_of_path(path_of_row(row)));
  }
  writer.key("seq").integer(integer_of(row, "seq")).key("at").string(iso_time(integer_of(row, "at")));
  for (const auto name : told_as_they_are) {
    if (const auto text = text_of(row, name); !text.empty()) {
      writer.key(name).string(text);
    }
  }
  writer.end_object();
}

}  // namespace waybill::api::jobs
