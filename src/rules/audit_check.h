#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "rules/contracts.h"
#include "store/store.h"

namespace waybill::rules {

// What was found in the audit trails of one contract.
struct AuditFindings {
  uint64_t trails = 0;
  uint64_t lines = 0;
  std::vector<std::string> faults;  // in words, the first of each trail; empty: all is as it was written
};

// Reads every trail from its beginning: each line has the hash of the one before and its own, none is
// missing, and the last one is the one that the store remembers. Others may write meanwhile. Blocks its
// caller.
Result<AuditFindings> check_audit(const store::Store& store, const Deployed& deployed);

}  // namespace waybill::rules
