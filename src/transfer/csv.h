#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "table/table.h"

namespace waybill::transfer {

inline constexpr std::string_view csv_delimiters = ",;:|\t ";

// The fields of one record of CSV. A field may stand in quotes, in which "" means one. Error invalid where
// quotes are not closed, or something stands behind them.
Result<std::vector<std::string>> split_csv(std::string_view record, char delimiter);

// The record as an attribute map in the service's JSON: all are strings but for those that the table's keys
// and indexes give another type. An index key without a value is left out. Error invalid where the record has
// more fields than the header.
Result<std::string> csv_to_json(const std::vector<std::string>& header,
                                const std::vector<std::string>& fields, const table::Table& table);

}  // namespace waybill::transfer
