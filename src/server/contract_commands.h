#pragma once

#include "base/json.h"
#include "base/result.h"
#include "rules/contracts.h"
#include "store/store.h"

// What `waybill contract` and `waybill audit` ask of a server that runs. Each takes a request and answers
// JSON.
namespace waybill::server {

// {"file":…,"text":…,"parameters":{…}} -> {"contract":…,"version":…,"table":…}
Result<std::string> apply_contract(rules::Contracts& contracts, const json::Value& request);

// {"contract":…} -> {}
Result<std::string> withdraw_contract(rules::Contracts& contracts, const json::Value& request);

// -> {"contracts":[{"contract":…,"version":…,"table":…,"enforcement":…,"records":{"job":{"queued":3,…}}}]}
Result<std::string> list_contracts(const rules::Contracts& contracts, const store::Store& store);

// {"contract":…}, or {} for all -> {"trails":…,"lines":…,"faults":[…]}
Result<std::string> verify_audit(const rules::Contracts& contracts, const store::Store& store,
                                 const json::Value& request);

}  // namespace waybill::server
