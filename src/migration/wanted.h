#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "migration/migration.h"
#include "rules/deployed.h"
#include "table/table.h"

// Whether a migration makes sense. No I/O; the errors say what to do.
namespace waybill::migration {

// The value that a text on the command line stands for, encoded: a number, true, false, null, a typed value
// as DynamoDB writes it ({"L":[]}), else a string.
Result<std::string> read_initial(std::string_view text);

// "NAME=VALUE"
Result<std::pair<std::string, std::string>> read_pair(std::string_view text);

// Whether the migration can begin on this table. `deployed` is the contract that will be in force; null:
// there is none.
Status check_start(const Migration& wanted, const table::Table& table, const rules::Deployed* deployed);

// Whether the contract, null where there is none, can do without the field.
Status check_without(const std::string& field, const rules::Deployed* deployed);

// Whether the table can do without the field.
Status check_without(const std::string& field, const table::Table& table);

// The table that a change of the key leads to: with the indexes, the time to live and the billing of the old
// one.
Result<table::Table> make_new_table(const Migration& migration, const table::Table& old, int64_t now_ms);

}  // namespace waybill::migration
