#pragma once

#include "contract/model.h"
#include "contract/problem.h"

namespace waybill::contract {

// Whether a contract makes sense: errors where it contradicts itself, warnings where it may be meant so and
// is known to end badly. In the order of the file.
Problems check(const Contract& contract);

}  // namespace waybill::contract
