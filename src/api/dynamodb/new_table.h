#pragma once

#include <optional>
#include <string_view>

#include "api/dynamodb/call.h"
#include "base/json.h"
#include "base/result.h"
#include "table/table.h"

namespace waybill::api::dynamodb {

struct NewTable {
  table::Table table;  // with its id and times
  bool mentions_deletion_protection = false;
};

// The table that CreateTable, or the TableCreationParameters of ImportTable, ask for. `name` goes before the
// name in them.
Result<NewTable> make_new_table(const Services& services, const json::Value& parameters,
                                const std::optional<std::string_view>& name = std::nullopt);

}  // namespace waybill::api::dynamodb
