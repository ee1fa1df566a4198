#include "cli/job/record_view.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/iso_time.h"
#include "cli/job/text_width.h"
#include "cli/job/time_words.h"

namespace waybill::cli::job {
namespace {

using contract::FieldType;
using contract::SetRule;

const std::string id_title = "ID";

const contract::Field* field_of(const Description& description, const std::string& name) {
  const auto* const record = description.record();
  return record == nullptr ? nullptr : record->find(name);
}

std::optional<int64_t> integer_of(std::string_view text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

// In milliseconds, where the field is a time.
std::optional<int64_t> time_of(const contract::Field* field, const std::string& text) {
  if (field == nullptr) {
    return {};
  }
  if (field->type == FieldType::timestamp) {
    return parse_iso_time(text);
  }
  constexpr int64_t seconds_max = int64_t{1} << 40;
  const auto number = integer_of(text);
  if (field->type == FieldType::epoch_s && number && *number > -seconds_max && *number < seconds_max) {
    return *number * 1000;
  }
  return field->type == FieldType::epoch_ms ? number : std::nullopt;
}

bool is_number(const contract::Field* field) {
  return field != nullptr && (field->type == FieldType::integer || field->type == FieldType::number);
}

bool is_nested(std::string_view value) {
  return value.starts_with('{') || value.starts_with('[');
}

void add_new(std::vector<std::string>& names, const std::string& name) {
  if (!name.empty() && std::ranges::find(names, name) == names.end()) {
    names.push_back(name);
  }
}

// Fields in the order in which they are of interest.
std::vector<std::string> order_of(const Description& description, const std::vector<Members>& records) {
  std::vector<std::string> names;
  add_new(names, description.status_field());
  if (const auto* const record = description.record()) {
    for (const auto& field : record->fields) {
      const bool is_usual_time = field.set && (field.set->moment == SetRule::Moment::on_create ||
                                               field.set->moment == SetRule::Moment::on_change);
      add_new(names, is_usual_time ? field.name : std::string());
    }
    for (const auto& field : record->fields) {
      add_new(names, field.name);
    }
  }
  for (const auto& record : records) {
    for (const auto& member : record) {
      add_new(names, member.name);
    }
  }
  return names;
}

std::vector<std::string> columns_of(const Description& description, const std::vector<Members>& records) {
  auto names = order_of(description, records);
  std::erase_if(names, [&](const std::string& name) {
    const bool is_seen = std::ranges::any_of(records, [&](const Members& record) {
      const auto value = find(record, name);
      return !value.empty() && !is_nested(value);
    });
    return !is_seen || description.is_of_id(name);
  });
  return names;
}

Cell cell_of(const Description& description, const std::string& name, const Members& record, int64_t now_ms) {
  auto text = text_of(record, name);
  if (name == description.status_field()) {
    const auto colour = description.colour_of(text);
    return {std::move(text), colour};
  }
  const auto time = time_of(field_of(description, name), text);
  return {time ? age_words(*time, now_ms) : std::move(text)};
}

}  // namespace

Table table_of(const Description& description, const std::vector<Members>& records,
               const std::vector<std::string>& columns, int64_t now_ms) {
  const auto names = columns.empty() ? columns_of(description, records) : columns;
  Table table;
  table.columns.push_back({.title = id_title, .is_whole = true});
  for (const auto& name : names) {
    const bool is_whole = name == description.status_field();
    table.columns.push_back(
        {.title = name, .is_whole = is_whole, .is_number = is_number(field_of(description, name))});
  }
  for (const auto& record : records) {
    std::vector<Cell> row = {{description.id_of(record)}};
    for (const auto& name : names) {
      row.push_back(cell_of(description, name, record, now_ms));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string details_of(const Description& description, const Members& record, const Screen& screen) {
  auto names = order_of(description, {record});
  std::erase_if(names, [&](const std::string& name) { return find(record, name).empty(); });
  std::size_t width = 0;
  for (const auto& name : names) {
    width = std::max(width, width_of(printable(name)));
  }
  std::string out;
  for (const auto& name : names) {
    const auto text = text_of(record, name);
    const auto time = time_of(field_of(description, name), text);
    const auto colour = name == description.status_field() ? description.colour_of(text) : Colour::none;
    out +=
        screen.paint(printable(name), Colour::bold) + std::string(width - width_of(printable(name)) + 2, ' ');
    out += screen.paint(printable(text), colour);
    out += time ? screen.paint("  " + age_words(*time, screen.now_ms), Colour::dim) : std::string();
    out += "\n";
  }
  return out;
}

Table history_table(const Description& description, const std::vector<Members>& happenings, int64_t now_ms) {
  Table table;
  table.columns = {{.title = "WHEN", .is_whole = true},
                   {.title = "ACTION", .is_whole = true},
                   {.title = "STATUS", .is_whole = true},
                   {.title = "WHO"},
                   {.title = "WHY"}};
  for (const auto& happening : happenings) {
    const auto at = text_of(happening, "at");
    const auto time = parse_iso_time(at);
    table.rows.push_back({{time ? age_words(*time, now_ms) : at},
                          {text_of(happening, "action")},
                          {move_words(happening), description.colour_of(text_of(happening, "to"))},
                          {text_of(happening, "actor")},
                          {reason_words(happening)}});
  }
  return table;
}

std::string move_words(const Members& happening) {
  const auto from = text_of(happening, "from");
  const auto to = text_of(happening, "to");
  return from.empty() || to.empty() || from == to ? (to.empty() ? from : to) : from + " -> " + to;
}

std::string reason_words(const Members& happening) {
  auto why = text_of(happening, "why");
  const auto rule = text_of(happening, "rule");
  if (rule.empty() || why.find("(rule " + rule + ")") != std::string::npos) {
    return why;
  }
  return why.empty() ? "rule " + rule : why + " (rule " + rule + ")";
}

}  // namespace waybill::cli::job
