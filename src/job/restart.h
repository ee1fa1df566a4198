#pragma once

#include <string>

#include "job/draft.h"
#include "job/services.h"

namespace waybill::job {

// Whether the contract lets a record in this state be put back to work.
bool may_replay(const contract::Record& record, const std::string& state);

// The record at its new beginning: nothing of it has failed yet, what its end has set is gone, and what it
// may cost is reserved again. What was spent stays. Pure.
void restart(const Subject& subject, Draft& draft);

}  // namespace waybill::job
