#pragma once

#include <string>
#include <vector>

#include "rules/deployed.h"

namespace waybill::api::jobs {

// The description of the jobs API for these contracts, as OpenAPI 3.1 has it: for each kind of record the
// operations that it has, with schemas of its own.
std::string describe_api(const std::vector<rules::DeployedPtr>& contracts);

}  // namespace waybill::api::jobs
