#pragma once

#include <memory>

#include "base/result.h"
#include "rules/contracts.h"
#include "server/config.h"
#include "store/store.h"

namespace waybill::server {

// The contracts of the store, and those that the configuration names, in force. The errors say what to do.
Result<std::unique_ptr<rules::Contracts>> open_contracts(store::Store& store, const Config& config,
                                                         const rules::Contracts::Options& options);

}  // namespace waybill::server
