#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace waybill::intake {

// A ULID for a row that had another id: the same for the same row, however often it is made. Its time is the
// row's (0 where that lies before 1970); the ten bits behind it are the microseconds within the millisecond,
// so that order is kept there too; the other seventy are a hash of the old id.
std::string row_ulid(std::string_view old_id, int64_t us);

}  // namespace waybill::intake
