#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "table/table.h"

// What tables and indexes were used for, minute by minute.
namespace waybill::usage {

inline constexpr int64_t minute_ms = 60'000;
inline constexpr int64_t minutes_a_day = 24 * 60;

// The longest time that minutes are kept: as long as a table can be taken back in time at most.
inline constexpr int64_t days_kept_max = 35;

// Units come in halves and are counted in halves: whole numbers, which add up exactly in any order.
constexpr uint64_t in_halves(double units) {
  return static_cast<uint64_t>(units * 2);
}
constexpr double in_units(uint64_t halves) {
  return static_cast<double>(halves) / 2;
}

// The reads or the writes of one minute.
struct Load {
  uint64_t half_units = 0;
  uint64_t requests = 0;         // a batch or a transaction counts as the requests it stands for
  uint64_t peak_half_units = 0;  // of the second that used most

  bool operator==(const Load&) const = default;
};

// What one table or index was used for in one minute.
struct Minute {
  Load reads;
  Load writes;

  bool operator==(const Minute&) const = default;
};

// Two parts of one minute, counted apart. The peak is the larger one's.
Minute merged(const Minute& a, const Minute& b);

struct SpaceMinute {
  table::SpaceId space = 0;
  int64_t minute = 0;  // since 1970
  Minute used;
};

// Stored form:
//   record := 0x01 load load         reads, then writes
//   load   := half_units requests peak_half_units     varints, seven bits a byte, low bits first
std::string encode(const Minute& minute);
std::optional<Minute> decode(std::string_view record);

// How many days of minutes are kept of a table: its recovery window where it has one.
int64_t days_kept(const table::Recovery& recovery);

}  // namespace waybill::usage
