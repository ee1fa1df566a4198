#pragma once

#include <string>

#include "base/result.h"
#include "worker/steps/values.h"
#include "worker/steps/workflow.h"

namespace waybill::worker::steps {

// Appends the JSON with its values filled in. Errors as those of Values::text().
Status append_filled(std::string& out, const JsonPattern& pattern, const Values& values);

}  // namespace waybill::worker::steps
