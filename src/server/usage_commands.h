#pragma once

#include <string>

#include "base/clock.h"
#include "base/json.h"
#include "base/result.h"
#include "store/store.h"

// What tables were used for, for the terminal. Requests are {"days":…,"table":…}: how far back, 35 days where
// it is not said; and which table, all where it is not said.
namespace waybill::server {

// cost::to_json() of what was measured.
Result<std::string> measured_usage(store::Store& store, const Clock& clock, const json::Value& request);

// Minute by minute, of the table named and its indexes; an answer that would be too long is an Error invalid:
//   {"parts":[{"name":…,"minutes":[[minute,read units,requests,peak,write units,requests,peak],…]},…]}
Result<std::string> usage_by_minute(store::Store& store, const Clock& clock, const json::Value& request);

}  // namespace waybill::server
