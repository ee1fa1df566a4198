#pragma once

#include <compare>
#include <cstdint>

namespace waybill::table {

// A place in a change log: the time of the commit, then a number that rises with every change of the store.
// Times never go back, so either orders changes as they were committed.
struct ChangePlace {
  int64_t time_ms = 0;
  uint64_t number = 0;

  friend auto operator<=>(const ChangePlace&, const ChangePlace&) = default;
};

}  // namespace waybill::table
