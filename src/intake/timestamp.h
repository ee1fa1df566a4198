#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "intake/mapping.h"

namespace waybill::intake {

// Microseconds since 1970 of a timestamp as PostgreSQL prints it with DateStyle ISO: "2025-01-15
// 10:30:00.5+00", "0044-03-15 00:00:00 BC", with or without an offset. Without one it counts as UTC. Error
// invalid where it is none: infinity is none.
Result<int64_t> parse_timestamp(std::string_view text);

// "2025-01-15T10:30:00.123Z". Years that four digits do not hold have six and a sign, as JavaScript writes
// them.
std::string iso_text(int64_t us, Precision precision);

// Rounded towards the past.
int64_t ms_of(int64_t us);
int64_t seconds_of(int64_t us);

}  // namespace waybill::intake
