#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/unique_function.h"
#include "job/lease.h"
#include "job/services.h"

namespace waybill::job {

inline constexpr uint32_t claim_count_max = 10;
inline constexpr int64_t claim_wait_ms_max = 20'000;

struct ClaimRequest {
  Subject subject;
  store::Author author;  // the worker
  uint32_t count_max = 1;
  int64_t wait_ms = 0;                   // for how long to wait for a first one
  std::optional<int64_t> lease_ms = {};  // absent: the queue's visibility timeout
  // Runs what is to be decided on another thread than the store's. Empty: there is no other.
  std::function<void(UniqueFunction<void()> work)> run_elsewhere = {};
};

struct Claimed {
  std::string id;
  item::Item record;
  Lease lease;
  int64_t attempt = 1;  // 1-based
  std::string message;  // the body of the message, as it was sent
};

// Hands records out to a worker, which has each alone until its lease is over. A record that another worker
// has lost goes on where it was. Messages of records that need no work any more are deleted on the way.
// Answers with nothing where there is nothing in time. What is returned ends the wait before its time; null
// where the request does not wait, or is answered already.
std::shared_ptr<store::Wait> claim(const Services& services, ClaimRequest request,
                                   Answer<std::vector<Claimed>> done);

}  // namespace waybill::job
