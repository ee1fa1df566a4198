#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cost/scaling_model.h"
#include "table/table.h"
#include "usage/minute.h"

// What was measured of tables over some time: all that prices are applied to.
namespace waybill::cost {

// Reads or writes of a table or an index.
struct MeasuredLoad {
  double units = 0;
  uint64_t requests = 0;
  double peak_minute_units = 0;
  double peak_second_units = 0;

  // What provisioned capacity would have been. A local index draws on its table's, and has none.
  ScalingRule rule;
  double scaled_unit_minutes = 0;
  int64_t scaled_units_largest = 0;
  int64_t minutes_short = 0;
  std::optional<int64_t> fixed_units;  // as the table is set up now; none on demand
};

enum class PartKind : unsigned char { table, global_index, local_index };

struct MeasuredPart {
  std::string name;
  PartKind kind = PartKind::table;
  MeasuredLoad reads;
  MeasuredLoad writes;
  int64_t items = 0;
  int64_t bytes = 0;
};

struct MeasuredTable {
  std::string name;
  std::string table_class;
  bool on_demand = false;
  int64_t begin_minute = 0;         // since 1970
  int64_t end_minute = 0;           // not included
  std::vector<MeasuredPart> parts;  // the table, then its indexes

  int64_t minutes() const { return end_minute - begin_minute; }
};

using Series = std::vector<std::pair<int64_t, usage::Minute>>;  // in order; minutes without use are left out

// A table or an index: what it holds and what it was used for.
struct PartUsage {
  int64_t items = 0;
  int64_t bytes = 0;
  Series minutes;
};

// How many days back, and until when.
struct Period {
  int64_t days = usage::days_kept_max;
  int64_t now_ms = 0;
};

// The minutes that are looked at: from the table's creation, from the first minute that is kept, or from the
// first of the period, whichever is latest; up to the one that is not over yet. One at least.
std::pair<int64_t, int64_t> minutes_of(const table::Table& table, const Period& period);

// `usage`: of the table, then of its indexes in order.
MeasuredTable measure(const table::Table& table, const Period& period, const std::vector<PartUsage>& usage);

}  // namespace waybill::cost
