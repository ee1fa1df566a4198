#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace waybill::intake {

// Appends the value that a plain JSON text stands for: objects as maps, arrays as lists, null as null,
// numbers with all of their digits. Of members with one name the last one counts. Error invalid where it is
// no JSON, a number does not fit, or values stand deeper in one another than items allow.
Status append_json_value(std::string& out, std::string_view text);

}  // namespace waybill::intake
