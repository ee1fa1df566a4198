#pragma once

#include <string>

#include "base/json.h"

namespace waybill::worker {

// Appends the value as JSON.
void append_json(std::string& out, const json::Value& value);

}  // namespace waybill::worker
