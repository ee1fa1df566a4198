#include "server/usage_commands.h"

#include <optional>
#include <utility>
#include <vector>

#include "cost/measured.h"
#include "cost/measured_json.h"

namespace waybill::server {
namespace {

constexpr std::size_t names_at_once = 1000;
constexpr std::size_t answer_bytes_max = 900'000;  // lines of a conversation have a megabyte at most

class Collect final : public store::UsageVisitor {
 public:
  explicit Collect(cost::Series& series) : series_(series) {}
  bool visit(int64_t minute, const usage::Minute& used) override {
    series_.emplace_back(minute, used);
    return true;
  }

 private:
  cost::Series& series_;
};

Result<cost::Period> period_of(const json::Value& request, const Clock& clock) {
  cost::Period period;
  period.now_ms = clock.wall_ms();
  if (const auto days = request.find("days")) {
    const auto number = days->type() == json::Type::number ? days->integer() : std::nullopt;
    if (!number || *number < 1 || *number > usage::days_kept_max) {
      return invalid("days must be between 1 and " + std::to_string(usage::days_kept_max));
    }
    period.days = *number;
  }
  return period;
}

Result<table::TablePtr> named_table(const store::Store& store, std::string_view name) {
  auto table = store.find_table(name);
  if (!table) {
    return Error{ErrorKind::not_found, "there is no table " + std::string(name), {}};
  }
  return table;
}

std::optional<std::string_view> wanted_name(const json::Value& request) {
  const auto name = request.find("table");
  return name && name->is_string() ? std::optional(name->string()) : std::nullopt;
}

Result<std::vector<table::TablePtr>> wanted_tables(const store::Store& store, const json::Value& request) {
  std::vector<table::TablePtr> tables;
  if (const auto name = wanted_name(request)) {
    WAYBILL_TRY_ASSIGN(auto table, named_table(store, *name));
    tables.push_back(std::move(table));
    return tables;
  }
  std::string after;
  for (auto names = store.list_tables(after, names_at_once); !names.empty();
       names = store.list_tables(after, names_at_once)) {
    for (const auto& name : names) {
      if (auto table = store.find_table(name)) {
        tables.push_back(std::move(table));
      }
    }
    after = names.back();
  }
  return tables;
}

Result<cost::PartUsage> part_usage(store::Store& store, table::SpaceId space, store::MinuteRange range) {
  cost::PartUsage part;
  const auto stats = store.stats(space);
  part.items = stats.items;
  part.bytes = stats.bytes;
  Collect collect(part.minutes);
  WAYBILL_TRY(store.read_usage(space, range, collect));
  return part;
}

Result<std::vector<cost::PartUsage>> table_usage(store::Store& store, const table::Table& table,
                                                 const cost::Period& period) {
  const auto [begin, end] = cost::minutes_of(table, period);
  std::vector<cost::PartUsage> parts(table.indexes.size() + 1);
  WAYBILL_TRY_ASSIGN(parts.front(), part_usage(store, table.space, {begin, end}));
  for (std::size_t i = 0; i < table.indexes.size(); ++i) {
    WAYBILL_TRY_ASSIGN(parts[i + 1], part_usage(store, table.indexes[i].space, {begin, end}));
  }
  return parts;
}

void write_load(json::Writer& out, const usage::Load& load) {
  out.real(usage::in_units(load.half_units));
  out.integer(static_cast<int64_t>(load.requests));
  out.real(usage::in_units(load.peak_half_units));
}

void write_minutes(json::Writer& out, const std::string& name, const cost::Series& minutes) {
  out.begin_object().key("name").string(name).key("minutes").begin_array();
  for (const auto& [minute, used] : minutes) {
    out.begin_array().integer(minute);
    write_load(out, used.reads);
    write_load(out, used.writes);
    out.end_array();
  }
  out.end_array().end_object();
}

}  // namespace

Result<std::string> measured_usage(store::Store& store, const Clock& clock, const json::Value& request) {
  WAYBILL_TRY_ASSIGN(const auto period, period_of(request, clock));
  WAYBILL_TRY_ASSIGN(const auto tables, wanted_tables(store, request));
  std::vector<cost::MeasuredTable> measured;
  for (const auto& table : tables) {
    WAYBILL_TRY_ASSIGN(const auto used, table_usage(store, *table, period));
    measured.push_back(cost::measure(*table, period, used));
  }
  std::string answer = cost::to_json(measured);
  if (answer.size() > answer_bytes_max) {
    return invalid("there are too many tables for one report: name one with --table");
  }
  return answer;
}

Result<std::string> usage_by_minute(store::Store& store, const Clock& clock, const json::Value& request) {
  WAYBILL_TRY_ASSIGN(const auto period, period_of(request, clock));
  const auto name = wanted_name(request);
  if (!name) {
    return invalid("minutes are told of one table: name it with --table");
  }
  WAYBILL_TRY_ASSIGN(const auto table, named_table(store, *name));
  WAYBILL_TRY_ASSIGN(const auto parts, table_usage(store, *table, period));
  std::string answer;
  json::Writer out(answer);
  out.begin_object().key("parts").begin_array();
  write_minutes(out, table->name, parts.front().minutes);
  for (std::size_t i = 0; i < table->indexes.size(); ++i) {
    write_minutes(out, table->indexes[i].name, parts[i + 1].minutes);
  }
  out.end_array().end_object();
  if (answer.size() > answer_bytes_max) {
    return invalid("that is too many minutes for one answer: ask for fewer with --days");
  }
  return answer;
}

}  // namespace waybill::server
