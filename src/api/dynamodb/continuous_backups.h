#pragma once

#include <string>

#include "api/dynamodb/call.h"
#include "table/table.h"

namespace waybill::api::dynamodb {

// The table that the request names; Error table_not_found in the words of backups.
Result<table::TablePtr> find_table_for_backups(const store::Store& store, const json::Value& body);

// {"ContinuousBackupsDescription":{…}}. Backups are always "enabled"; what can be switched is recovery.
std::string continuous_backups_description(const Services& services, const table::Table& table);

}  // namespace waybill::api::dynamodb
