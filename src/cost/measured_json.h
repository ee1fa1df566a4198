#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "cost/measured.h"

// Measured tables on their way from a server to the terminal.
namespace waybill::cost {

// {"tables":[…]}
std::string to_json(const std::vector<MeasuredTable>& tables);

// Error corruption, with the name of the member, for anything but what to_json() writes.
Result<std::vector<MeasuredTable>> measured_from_json(std::string_view text);

}  // namespace waybill::cost
