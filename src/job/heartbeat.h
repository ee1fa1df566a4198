#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "job/lease.h"
#include "job/services.h"

namespace waybill::job {

struct HeartbeatRequest {
  Target target;
  std::string lease;
  std::optional<int64_t> lease_ms = {};  // from now on; absent: the queue's visibility timeout
};

// Prolongs a lease. Error condition_failed with rule "ends" or "working" where the record is not being worked
// on any more (it was canceled): the worker is to stop.
void heartbeat(const Services& services, HeartbeatRequest request, Answer<Lease> done);

}  // namespace waybill::job
