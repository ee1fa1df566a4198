#pragma once

#include <string>

#include "table/table.h"

namespace waybill::transfer {

// What would make a table with the same keys, indexes and billing: TableCreationParameters of ImportTable.
std::string table_parameters(const table::Table& table);

}  // namespace waybill::transfer
