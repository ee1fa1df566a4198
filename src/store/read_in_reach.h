#pragma once

#include "access/reach.h"
#include "store/store.h"

namespace waybill::store {

// Reads a range without what is out of reach, as RestrictedStore does: it is not shown to the visitor. Error
// invalid where too much would be passed over.
Status read_in_reach(const Store& store, const Range& range, const access::Reach& reach, Visitor& visitor);

}  // namespace waybill::store
