#pragma once

#include <vector>

#include "base/json.h"

namespace waybill::item {

// Whether two members of a JSON object have the same name.
bool has_namesakes(const json::Value& object);

// For each member of a JSON object whether a later one has the same name.
std::vector<bool> superseded_members(const json::Value& object);

}  // namespace waybill::item
