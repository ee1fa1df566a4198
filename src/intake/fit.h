#pragma once

#include <vector>

#include "contract/model.h"
#include "contract/problem.h"
#include "intake/mapping.h"
#include "intake/row_mapper.h"

namespace waybill::intake {

// Whether what a mapping makes can be a record of that kind, and can be compared with it afterwards. Adds
// what is wrong.
void check_fit(const Mapping& mapping, const contract::Record& record, const std::vector<Column>& columns,
               contract::Problems& problems);

}  // namespace waybill::intake
