#pragma once

#include "job/list.h"

namespace waybill::job {

// The part of list() that goes by tags. The request has some.
Result<Page> list_by_tags(const Services& services, const ListRequest& request);

}  // namespace waybill::job
