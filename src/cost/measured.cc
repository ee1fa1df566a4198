#include "cost/measured.h"

#include <algorithm>

#include "base/check.h"

namespace waybill::cost {
namespace {

using Direction = usage::Load usage::Minute::*;

struct UsedMinute {
  int64_t minute = 0;
  double units = 0;
  double peak_second_units = 0;
};

// Minutes without use are left out.
using Units = std::vector<UsedMinute>;

MeasuredLoad sum_of(const Series& minutes, Direction direction) {
  MeasuredLoad load;
  for (const auto& [minute, used] : minutes) {
    const usage::Load& one = used.*direction;
    load.units += usage::in_units(one.half_units);
    load.requests += one.requests;
    load.peak_minute_units = std::max(load.peak_minute_units, usage::in_units(one.half_units));
    load.peak_second_units = std::max(load.peak_second_units, usage::in_units(one.peak_half_units));
  }
  return load;
}

// Two peaks of one minute may not have been in the same second: their sum is the most there can have been.
void add_units(Units& units, const Series& minutes, Direction direction) {
  Units sum;
  auto at = units.begin();
  for (const auto& [minute, used] : minutes) {
    for (; at != units.end() && at->minute < minute; ++at) {
      sum.push_back(*at);
    }
    const usage::Load& load = used.*direction;
    UsedMinute both{minute, usage::in_units(load.half_units), usage::in_units(load.peak_half_units)};
    if (at != units.end() && at->minute == minute) {
      both.units += at->units;
      both.peak_second_units += at->peak_second_units;
      ++at;
    }
    sum.push_back(both);
  }
  sum.insert(sum.end(), at, units.end());
  units = std::move(sum);
}

struct Provisioned {
  const std::optional<table::ScalingBounds>& bounds;
  std::optional<int64_t> fixed_units;
};

void provision(MeasuredLoad& load, const Provisioned& provisioned, const Units& units,
               const MeasuredTable& table) {
  double busiest = 0;
  for (const auto& used : units) {
    busiest = std::max(busiest, used.units);
  }
  load.rule = scaling_rule(provisioned.bounds, busiest);
  load.fixed_units = provisioned.fixed_units;
  ScalingModel model(load.rule);
  auto at = units.begin();
  for (int64_t minute = table.begin_minute; minute < table.end_minute; ++minute) {
    const bool is_used = at != units.end() && at->minute == minute;
    const auto used = is_used ? *at++ : UsedMinute();
    model.add_minute(used.units, used.peak_second_units);
  }
  load.scaled_unit_minutes = model.unit_minutes();
  load.scaled_units_largest = model.units_largest();
  load.minutes_short = model.minutes_short();
}

struct PartSettings {
  const table::Scaling& scaling;
  const table::Throughput& throughput;
};

// `series`: of the part itself, and of what draws on its capacity.
void provision(MeasuredPart& part, const PartSettings& settings, const std::vector<const Series*>& series,
               const MeasuredTable& table) {
  Units reads;
  Units writes;
  for (const Series* one : series) {
    add_units(reads, *one, &usage::Minute::reads);
    add_units(writes, *one, &usage::Minute::writes);
  }
  const auto fixed = [&](int64_t units) { return table.on_demand ? std::nullopt : std::optional(units); };
  provision(part.reads, {settings.scaling.reads, fixed(settings.throughput.read_units)}, reads, table);
  provision(part.writes, {settings.scaling.writes, fixed(settings.throughput.write_units)}, writes, table);
}

MeasuredPart part_of(std::string name, PartKind kind, const PartUsage& usage) {
  MeasuredPart part;
  part.name = std::move(name);
  part.kind = kind;
  part.reads = sum_of(usage.minutes, &usage::Minute::reads);
  part.writes = sum_of(usage.minutes, &usage::Minute::writes);
  part.items = usage.items;
  part.bytes = usage.bytes;
  return part;
}

}  // namespace

std::pair<int64_t, int64_t> minutes_of(const table::Table& table, const Period& period) {
  const int64_t end = period.now_ms / usage::minute_ms + 1;
  const int64_t days = std::min(period.days, usage::days_kept(table.recovery));
  const int64_t begin = std::max(end - days * usage::minutes_a_day, table.created_at_ms / usage::minute_ms);
  return {std::min(begin, end - 1), end};
}

MeasuredTable measure(const table::Table& table, const Period& period, const std::vector<PartUsage>& usage) {
  WAYBILL_CHECK(usage.size() == table.indexes.size() + 1);
  MeasuredTable measured;
  measured.name = table.name;
  measured.table_class = table.table_class.empty() ? "STANDARD" : table.table_class;  // never said: the usual
  measured.on_demand = table.billing == table::BillingMode::pay_per_request;
  std::tie(measured.begin_minute, measured.end_minute) = minutes_of(table, period);
  measured.parts.push_back(part_of(table.name, PartKind::table, usage.front()));
  std::vector<const Series*> of_table = {&usage.front().minutes};
  for (std::size_t i = 0; i < table.indexes.size(); ++i) {
    const auto& index = table.indexes[i];
    const bool is_local = index.kind == table::IndexKind::local;
    auto part = part_of(index.name, is_local ? PartKind::local_index : PartKind::global_index, usage[i + 1]);
    if (is_local) {
      of_table.push_back(&usage[i + 1].minutes);
    } else {
      provision(part, {index.scaling, index.throughput}, {&usage[i + 1].minutes}, measured);
    }
    measured.parts.push_back(std::move(part));
  }
  provision(measured.parts.front(), {table.scaling, table.throughput}, of_table, measured);
  return measured;
}

}  // namespace waybill::cost
