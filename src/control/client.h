#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "control/message.h"

namespace waybill::control {

// Asks the server that keeps its data in `data_dir` to do something, and waits for it. Gives the result as
// JSON. Errors: unavailable where no server runs there; else what the server says.
Result<std::string> call(const std::string& data_dir, const std::string& request,
                         const std::function<void(const Step&)>& on_progress);

}  // namespace waybill::control
