#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "expression/key_condition.h"
#include "table/table.h"

namespace waybill::table {

// Keys from `begin` up to, not including, `end`. An empty `end` means to the end of the space.
struct KeyRange {
  std::string begin;
  std::string end;

  bool holds(std::string_view key) const { return key >= begin && (end.empty() || key < end); }

  // Leaves only what comes after `key` when read forward, or before it when read backward.
  void resume_after(std::string_view key, bool forward);
};

// The keys of a table or index that a Query asks for. The values have the types of the key.
KeyRange range_of(const expression::KeyCondition& condition);

// The keys of one segment of a parallel scan; segment < total.
KeyRange range_of_segment(uint32_t segment, uint32_t total);

}  // namespace waybill::table
