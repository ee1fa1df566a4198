#include "table/capacity.h"

#include <algorithm>

namespace waybill::table {
namespace {

constexpr uint64_t read_unit_bytes = 4096;
constexpr uint64_t write_unit_bytes = 1024;

double blocks(uint64_t bytes, uint64_t block_bytes) {
  return static_cast<double>(std::max<uint64_t>(1, (bytes + block_bytes - 1) / block_bytes));
}

}  // namespace

double ReadUnits::of(uint64_t bytes) const {
  return blocks(bytes, read_unit_bytes) * (consistent ? 1.0 : 0.5);
}

double write_units(uint64_t bytes) {
  return blocks(bytes, write_unit_bytes);
}

double entry_units(uint64_t removed_bytes, uint64_t written_bytes) {
  return (removed_bytes > 0 ? write_units(removed_bytes) : 0) +
         (written_bytes > 0 ? write_units(written_bytes) : 0);
}

}  // namespace waybill::table
