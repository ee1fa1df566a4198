#pragma once

#include <cstdint>

// Capacity units: the service's arithmetic.
namespace waybill::table {

// A read of so many bytes: one unit per 4 KB begun, at least one; half of that where it may be stale.
struct ReadUnits {
  bool consistent = false;

  double of(uint64_t bytes) const;
};

// A write of so many bytes: one unit per KB begun, at least one.
double write_units(uint64_t bytes);

// What an index entry's change costs: taking one away and writing one are paid for apart. 0: there was none.
double entry_units(uint64_t removed_bytes, uint64_t written_bytes);

// Transactions do everything twice.
inline constexpr double transaction_factor = 2;

}  // namespace waybill::table
