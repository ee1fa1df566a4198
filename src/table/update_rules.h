#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "table/create_rules.h"
#include "table/table.h"

// What may be changed about a table that exists. Errors carry the service's texts, in its order of checks.
namespace waybill::table {

struct IndexThroughputChange {
  std::string name;
  std::optional<CapacityUnits> throughput;
  std::optional<WantedLimits> limits;
};

// Exactly one of the three, or it is refused.
struct IndexChange {
  std::optional<WantedIndex> create;
  std::optional<IndexThroughputChange> update;
  std::optional<std::string> remove;  // the name
};

// Absent: left as it is.
struct WantedChange {
  std::vector<KeyAttribute> definitions;
  std::optional<BillingMode> billing;
  std::optional<CapacityUnits> throughput;
  std::vector<IndexChange> indexes;
  std::optional<bool> deletion_protection;
  std::optional<std::string> table_class;
  std::optional<Encryption> encryption;
  std::optional<WantedLimits> limits;
  std::optional<StreamSettings> stream;  // a label is given by the store

  bool empty() const;
};

// What can be said without the table.
Status check_change(const WantedChange& change);

// The table after the change, or the first rule that stands against it. New indexes have space 0 and are
// marked as backfilling.
Result<Table> apply_change(const Table& current, const WantedChange& change, int64_t now_ms);

}  // namespace waybill::table
