#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "cost/measured.h"
#include "cost/prices.h"

// What a measured load costs a month. Plain arithmetic.
namespace waybill::cost {

inline constexpr double hours_a_month = 730;

// Below this a period says little about a month.
inline constexpr int64_t short_period_minutes = 7 * usage::minutes_a_day;

// By the month.
struct Split {
  double reads = 0;
  double writes = 0;

  double total() const { return reads + writes; }
};

enum class Mode : unsigned char { on_demand, scaled, fixed };

// A table with its indexes, or several tables.
struct Bill {
  Split on_demand;
  Split scaled;                // provisioned, with auto scaling
  std::optional<Split> fixed;  // provisioned at the units of now; none where any table is on demand
  double storage = 0;          // whichever way the rest is paid

  double of(Mode mode) const;  // with storage
  Mode cheapest() const;
  // The cheapest but `cheapest()`.
  Mode next_cheapest() const;
};

// What the service counts as stored: 100 bytes more for each item and each entry of an index.
int64_t stored_bytes(const MeasuredTable& table);
inline constexpr double bytes_a_gb = 1024.0 * 1024 * 1024;

Bill estimate(const MeasuredTable& table, const Prices& prices);
Bill total(const std::vector<Bill>& bills);

}  // namespace waybill::cost
