#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "load/dialect.h"
#include "load/item_states.h"
#include "load/request.h"

namespace waybill::load {

// Whether the answer to `request` holds exactly the items that it must, as far as `states` tells. The error
// says what was expected.
Status check_answer(Dialect& dialect, const ItemStates& states, const Request& request,
                    std::string_view body);

}  // namespace waybill::load
