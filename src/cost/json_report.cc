#include <optional>
#include <string_view>

#include "base/json.h"
#include "cost/report.h"

namespace waybill::cost {
namespace {

constexpr std::string_view mode_names[] = {"on_demand", "provisioned_scaled", "provisioned_fixed"};
constexpr std::string_view kind_names[] = {"table", "global_index", "local_index"};
constexpr double seconds_a_minute = 60;

std::string_view name_of(Mode mode) {
  return mode_names[static_cast<std::size_t>(mode)];
}

void write_split(json::Writer& out, const Bill& bill, Mode mode, const Split& split) {
  out.key(name_of(mode)).begin_object();
  out.key("reads").real(split.reads);
  out.key("writes").real(split.writes);
  out.key("storage").real(bill.storage);
  out.key("total").real(bill.of(mode)).end_object();
}

void write_bill(json::Writer& out, const Bill& bill) {
  out.begin_object();
  write_split(out, bill, Mode::on_demand, bill.on_demand);
  write_split(out, bill, Mode::scaled, bill.scaled);
  if (bill.fixed) {
    write_split(out, bill, Mode::fixed, *bill.fixed);
  }
  out.key("cheapest").string(name_of(bill.cheapest()));
  out.key("next_cheapest").string(name_of(bill.next_cheapest()));
  out.key("saves").real(bill.of(bill.next_cheapest()) - bill.of(bill.cheapest()));
  out.end_object();
}

void write_provisioned(json::Writer& out, const MeasuredLoad& load, int64_t minutes) {
  out.key("scaled").begin_object();
  out.key("units_min").integer(load.rule.units_min);
  out.key("units_max").integer(load.rule.units_max);
  out.key("target_utilisation").real(load.rule.target);
  out.key("bounds_registered").boolean(load.rule.is_registered);
  out.key("units_average").real(load.scaled_unit_minutes / static_cast<double>(minutes));
  out.key("units_largest").integer(load.scaled_units_largest);
  out.key("minutes_short").integer(load.minutes_short).end_object();
  if (load.fixed_units) {
    out.key("fixed_units").integer(*load.fixed_units);
  }
}

void write_load(json::Writer& out, const MeasuredLoad& load, PartKind kind, int64_t minutes) {
  out.begin_object();
  out.key("units").real(load.units);
  out.key("requests").integer(static_cast<int64_t>(load.requests));
  out.key("units_a_second_average").real(load.units / static_cast<double>(minutes) / seconds_a_minute);
  out.key("units_a_second_busiest_minute").real(load.peak_minute_units / seconds_a_minute);
  out.key("units_busiest_second").real(load.peak_second_units);
  if (kind != PartKind::local_index) {
    write_provisioned(out, load, minutes);
  }
  out.end_object();
}

void write_table(json::Writer& out, const MeasuredTable& table, const Bill& bill) {
  constexpr int64_t minute_seconds = 60;
  out.begin_object();
  out.key("name").string(table.name);
  out.key("billing_mode").string(table.on_demand ? "PAY_PER_REQUEST" : "PROVISIONED");
  out.key("table_class").string(table.table_class);
  out.key("measured").begin_object();
  out.key("begin_seconds").integer(table.begin_minute * minute_seconds);
  out.key("end_seconds").integer(table.end_minute * minute_seconds);
  out.key("minutes").integer(table.minutes());
  out.key("is_short").boolean(table.minutes() < short_period_minutes).end_object();
  out.key("stored_bytes").integer(stored_bytes(table));
  out.key("parts").begin_array();
  for (const auto& part : table.parts) {
    out.begin_object();
    out.key("name").string(part.name);
    out.key("kind").string(kind_names[static_cast<std::size_t>(part.kind)]);
    out.key("items").integer(part.items);
    out.key("bytes").integer(part.bytes);
    write_load(out.key("reads"), part.reads, part.kind, table.minutes());
    write_load(out.key("writes"), part.writes, part.kind, table.minutes());
    out.end_object();
  }
  out.end_array();
  write_bill(out.key("month"), bill);
  out.end_object();
}

}  // namespace

std::string json_report(const std::vector<MeasuredTable>& tables, const Prices& prices) {
  std::string text;
  json::Writer out(text);
  out.begin_object();
  out.key("prices").begin_object();
  out.key("source").string(prices.source);
  out.key("region").string(prices.region);
  out.key("currency").string(prices.currency);
  out.key("date").string(prices.date).end_object();
  out.key("hours_a_month").real(hours_a_month);
  out.key("tables").begin_array();
  std::vector<Bill> bills;
  for (const auto& table : tables) {
    bills.push_back(estimate(table, prices));
    write_table(out, table, bills.back());
  }
  out.end_array();
  write_bill(out.key("total"), total(bills));
  out.end_object();
  return text;
}

}  // namespace waybill::cost
