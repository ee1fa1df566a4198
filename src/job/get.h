#pragma once

#include <string_view>

#include "job/services.h"

namespace waybill::job {

// The record as of the last commit. Blocks for the disk alone.
Result<item::Item> get(const Services& services, const Subject& subject, std::string_view id);

}  // namespace waybill::job
