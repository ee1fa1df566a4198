#pragma once

#include <map>
#include <string>

#include "base/result.h"
#include "queue/queue.h"

namespace waybill::queue {

// What the attributes of a queue mean; those that are absent have their usual value. Errors in the words of
// SQS: an attribute that does not exist, or a value that it cannot have.
Result<Settings> read_settings(const std::map<std::string, std::string>& attributes);

}  // namespace waybill::queue
