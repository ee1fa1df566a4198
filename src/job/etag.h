#pragma once

#include <string>

#include "job/services.h"

namespace waybill::job {

// What a caller shows to say which state of a record it has seen (If-Match), without quotes: the version
// where the contract keeps one, else a hash of the item.
std::string etag_of(const Subject& subject, item::ItemView record);

}  // namespace waybill::job
