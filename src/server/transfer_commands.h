#pragma once

#include <string>

#include "api/dynamodb/call.h"
#include "base/json.h"
#include "base/result.h"
#include "control/server.h"

// `waybill export` and `waybill import`: each begins its work, or finds it under way, and follows it to its
// end. The work goes on where nobody follows it any more.
namespace waybill::server {

// {"table":…,"folder":…,"time_ms":…} -> {"folder":…,"items":…,"files":…,"bytes":…}; without time_ms the table
// as it is now.
Result<std::string> export_table(const api::dynamodb::Services& services, const json::Value& request,
                                 control::Progress& progress);

// {"folder":…,"table":…,"parameters":…} -> {"table":…,"items":…,"errors":…,"errors_file":…}; table and
// parameters may be absent where an export tells them. Parameters are a text: TableCreationParameters.
Result<std::string> import_table(const api::dynamodb::Services& services, const json::Value& request,
                                 control::Progress& progress);

}  // namespace waybill::server
