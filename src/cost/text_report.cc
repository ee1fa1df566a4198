#include <algorithm>
#include <string>
#include <string_view>

#include "cost/columns.h"
#include "cost/report.h"

namespace waybill::cost {
namespace {

constexpr double seconds_a_minute = 60;
constexpr double percent = 100;

using Row = std::vector<std::string>;

std::string_view words_of(Mode mode) {
  switch (mode) {
    case Mode::on_demand:
      return "on-demand";
    case Mode::scaled:
      return "provisioned, scaled";
    case Mode::fixed:
      return "provisioned, fixed";
  }
  return "";
}

std::string shown_name(const MeasuredPart& part) {
  return part.kind == PartKind::table          ? "table"
         : part.kind == PartKind::global_index ? "index " + part.name
                                               : "local index " + part.name;
}

Row load_row(std::string name, std::string_view direction, const MeasuredLoad& load, int64_t minutes) {
  return {std::move(name),
          std::string(direction),
          grouped(static_cast<double>(load.requests), 0),
          grouped(load.units, 1),
          grouped(load.units / static_cast<double>(minutes) / seconds_a_minute, 2),
          grouped(load.peak_minute_units / seconds_a_minute, 2),
          grouped(load.peak_second_units, 1)};
}

std::string load_table(const MeasuredTable& table) {
  std::vector<Row> rows = {
      {"Used", "", "requests", "units", "units/s: average", "busiest minute", "busiest second"}};
  for (const auto& part : table.parts) {
    rows.push_back(load_row(shown_name(part), "reads", part.reads, table.minutes()));
    rows.push_back(load_row("", "writes", part.writes, table.minutes()));
  }
  return in_columns(rows, 2);
}

Row scaling_row(std::string name, std::string_view direction, const MeasuredLoad& load, int64_t minutes) {
  return {std::move(name),
          std::string(direction),
          grouped(static_cast<double>(load.rule.units_min), 0) + " to " +
              grouped(static_cast<double>(load.rule.units_max), 0),
          grouped(load.rule.target * percent, 0) + " %",
          grouped(load.scaled_unit_minutes / static_cast<double>(minutes), 2),
          grouped(static_cast<double>(load.minutes_short), 0),
          load.fixed_units ? grouped(static_cast<double>(*load.fixed_units), 0) : "none",
          load.rule.is_registered ? "" : "bounds from the load"};
}

std::string scaling_table(const MeasuredTable& table) {
  std::vector<Row> rows = {
      {"Provisioned", "", "scaled between", "target", "on average", "minutes short", "fixed now"}};
  for (const auto& part : table.parts) {
    if (part.kind != PartKind::local_index) {
      rows.push_back(scaling_row(shown_name(part), "reads", part.reads, table.minutes()));
      rows.push_back(scaling_row("", "writes", part.writes, table.minutes()));
    }
  }
  return in_columns(rows, 2);
}

Row bill_row(Mode mode, const Split& split, const Bill& bill) {
  return {std::string(words_of(mode)), money(split.reads), money(split.writes), money(bill.storage),
          money(bill.of(mode))};
}

std::string bill_table(const Bill& bill, const std::string& currency) {
  std::vector<Row> rows = {{currency + " a month", "reads", "writes", "storage", "total"},
                           bill_row(Mode::on_demand, bill.on_demand, bill),
                           bill_row(Mode::scaled, bill.scaled, bill)};
  if (bill.fixed) {
    rows.push_back(bill_row(Mode::fixed, *bill.fixed, bill));
  }
  return in_columns(rows, 1);
}

std::string verdict(const Bill& bill, const std::string& currency) {
  const Mode cheapest = bill.cheapest();
  const Mode next = bill.next_cheapest();
  const double saved = bill.of(next) - bill.of(cheapest);
  std::string text = "  Cheapest: " + std::string(words_of(cheapest));
  if (saved > 0) {
    text += ", by " + money(saved) + " " + currency + " a month (" +
            grouped(saved / bill.of(next) * percent, 0) + " %) against " + std::string(words_of(next));
  }
  return text + ".\n";
}

std::string table_report(const MeasuredTable& table, const Bill& bill, const Prices& prices) {
  std::string text = "Table " + table.name + ", " + (table.on_demand ? "on-demand" : "provisioned") +
                     ", class " + table.table_class + "\n";
  text += "  Measured for " + duration(table.minutes()) + ", from " + utc_minute(table.begin_minute) +
          " to " + utc_minute(table.end_minute) + " UTC.\n";
  if (table.minutes() < short_period_minutes) {
    text += "  That is less than a week: a month made of it can be far off.\n";
  }
  text += "\n" + load_table(table);
  text += "\n" + scaling_table(table);
  text += "\n  Stored: " + in_bytes(stored_bytes(table)) + ", with 100 bytes more for each item and entry.\n";
  text += "\n" + bill_table(bill, prices.currency) + verdict(bill, prices.currency);
  return text;
}

}  // namespace

std::string text_report(const std::vector<MeasuredTable>& tables, const Prices& prices) {
  std::string text =
      "What the measured load would cost on DynamoDB in a month of 730 hours.\nPrices: " + prices.region +
      ", " + prices.currency + ", of " + prices.date + " (" + prices.source +
      "). Free tiers, backups, streams and transfer are not in it.\n\n";
  std::vector<Bill> bills;
  for (const auto& table : tables) {
    bills.push_back(estimate(table, prices));
    text += table_report(table, bills.back(), prices) + "\n";
  }
  if (tables.empty()) {
    return text + "There are no tables.\n";
  }
  if (tables.size() > 1) {
    const Bill sum = total(bills);
    text += "All " + std::to_string(tables.size()) + " tables\n" + bill_table(sum, prices.currency) +
            verdict(sum, prices.currency);
  } else {
    text.pop_back();
  }
  return text;
}

}  // namespace waybill::cost
