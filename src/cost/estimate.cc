#include "cost/estimate.h"

#include <algorithm>

namespace waybill::cost {
namespace {

constexpr double minutes_an_hour = 60;
constexpr double million = 1'000'000;
constexpr int64_t overhead_bytes_an_item = 100;

struct DirectionPrices {
  double on_demand_million = 0;
  double unit_hour = 0;
};

struct LoadBill {
  double on_demand = 0;
  double scaled = 0;
  std::optional<double> fixed;
};

LoadBill bill_of(const MeasuredLoad& load, int64_t minutes, const DirectionPrices& prices) {
  const double months = static_cast<double>(minutes) / minutes_an_hour / hours_a_month;
  LoadBill bill;
  bill.on_demand = load.units / months / million * prices.on_demand_million;
  bill.scaled = load.scaled_unit_minutes / static_cast<double>(minutes) * hours_a_month * prices.unit_hour;
  if (load.fixed_units) {
    bill.fixed = static_cast<double>(*load.fixed_units) * hours_a_month * prices.unit_hour;
  }
  return bill;
}

void add(Split& sum, const Split& more) {
  sum.reads += more.reads;
  sum.writes += more.writes;
}

std::vector<Mode> modes_by_price(const Bill& bill) {
  std::vector<Mode> modes = {Mode::on_demand, Mode::scaled};
  if (bill.fixed) {
    modes.push_back(Mode::fixed);
  }
  std::ranges::sort(modes, {}, [&](Mode mode) { return std::pair(bill.of(mode), mode); });
  return modes;
}

}  // namespace

double Bill::of(Mode mode) const {
  const Split& split = mode == Mode::on_demand ? on_demand : mode == Mode::scaled ? scaled : *fixed;
  return split.total() + storage;
}

Mode Bill::cheapest() const {
  return modes_by_price(*this).front();
}

Mode Bill::next_cheapest() const {
  return modes_by_price(*this)[1];
}

int64_t stored_bytes(const MeasuredTable& table) {
  int64_t bytes = 0;
  for (const auto& part : table.parts) {
    bytes += part.bytes + part.items * overhead_bytes_an_item;
  }
  return bytes;
}

Bill estimate(const MeasuredTable& table, const Prices& prices) {
  const auto& of_class = prices.of(table.table_class);
  Bill bill;
  if (!table.on_demand) {
    bill.fixed = Split();
  }
  for (const auto& part : table.parts) {
    const auto reads = bill_of(part.reads, table.minutes(),
                               {of_class.on_demand_read_million, of_class.provisioned_read_unit_hour});
    const auto writes = bill_of(part.writes, table.minutes(),
                                {of_class.on_demand_write_million, of_class.provisioned_write_unit_hour});
    add(bill.on_demand, {reads.on_demand, writes.on_demand});
    add(bill.scaled, {reads.scaled, writes.scaled});
    if (bill.fixed) {
      add(*bill.fixed, {reads.fixed.value_or(0), writes.fixed.value_or(0)});
    }
  }
  bill.storage = static_cast<double>(stored_bytes(table)) / bytes_a_gb * of_class.storage_gb_month;
  return bill;
}

Bill total(const std::vector<Bill>& bills) {
  Bill sum;
  if (std::ranges::all_of(bills, [](const Bill& bill) { return bill.fixed.has_value(); })) {
    sum.fixed = Split();
  }
  for (const auto& bill : bills) {
    add(sum.on_demand, bill.on_demand);
    add(sum.scaled, bill.scaled);
    if (sum.fixed) {
      add(*sum.fixed, *bill.fixed);
    }
    sum.storage += bill.storage;
  }
  return sum;
}

}  // namespace waybill::cost
