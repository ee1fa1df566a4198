#pragma once

#include <string>
#include <vector>

namespace waybill::cost {

// Lines up cells: the first `texts` columns to the left, the others, which are numbers, to the right. Each
// line begins with two spaces and ends without any.
std::string in_columns(const std::vector<std::vector<std::string>>& rows, std::size_t texts);

// "1,234,567.50": digits in groups of three, and so many behind the point.
std::string grouped(double value, int decimals);

// Money: two digits behind the point; "< 0.01" for less than half a hundredth that is not nothing.
std::string money(double amount);

// "2026-11-16 09:33"
std::string utc_minute(int64_t minute);

// "2 d 4 h", "4 h 12 min", "12 min"
std::string duration(int64_t minutes);

// "1.24 GB", "12.3 KB", "512 bytes": by 1,024.
std::string in_bytes(int64_t bytes);

}  // namespace waybill::cost
