#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "table/create_rules.h"
#include "table/table.h"

// What a table that is made of another one takes over, and what may be otherwise. Errors carry the service's
// texts.
namespace waybill::table {

// Absent: as the source has it.
struct WantedRestore {
  std::string name;
  std::optional<BillingMode> billing;
  std::optional<CapacityUnits> throughput;
  std::optional<WantedLimits> limits;
  std::optional<std::vector<WantedIndex>> local_indexes;   // those of the source that are wanted
  std::optional<std::vector<WantedIndex>> global_indexes;  // the same
  std::optional<Encryption> encryption;
};

// Keys, indexes and throughput come from the source; streams, time to live, tags, recovery and protection do
// not. Pure: no space ids, no uuid.
Result<Table> make_restored(const Table& source, const WantedRestore& wanted, int64_t now_ms);

}  // namespace waybill::table
