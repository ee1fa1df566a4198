#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "job/services.h"

namespace waybill::job {

// How many records there are in each state, in the order of the contract: of all tenants, or of one. Exact,
// as of the last commit. Error unsupported where records have no states, or no tenants.
Result<std::vector<std::pair<std::string, int64_t>>> counts(const Services& services, const Subject& subject,
                                                            const std::optional<std::string>& tenant);

}  // namespace waybill::job
