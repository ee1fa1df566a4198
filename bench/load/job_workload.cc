#include "load/job_workload.h"

#include <utility>

namespace waybill::load {

namespace {

// Of a claim for a job that was created before: it is there, or will be at once.
constexpr uint32_t claim_wait_seconds = 5;

}  // namespace

void continue_job(Request& request, uint32_t steps) {
  request.operation = request.steps_done < steps ? Operation::step : Operation::finish;
}

bool JobWorkload::next_job(Request& request) {
  if (given_ == options_.count) {
    request.has_next = false;
    return false;
  }
  request.operation = Operation::create_job;
  request.has_next = options_.is_worked_on;
  request.count = 1;
  request.items[0].id = options_.first + given_;
  request.receipt.clear();
  ++given_;
  return true;
}

bool JobWorkload::next(Request& request) {
  if (!request.has_next) {
    return next_job(request);
  }
  if (request.receipt.empty()) {
    request.operation = Operation::claim;
    request.wait_seconds = claim_wait_seconds;
    return true;
  }
  continue_job(request, options_.steps);
  request.has_next = request.operation != Operation::finish;
  return true;
}

void JobWorkload::finished(const Request& request, Outcome outcome) {
  auto& counts = ledger_.counts;
  if (outcome != Outcome::done) {
    return;
  }
  switch (request.operation) {
    case Operation::create_job:
      ++counts.sent;
      return;
    case Operation::claim:
      if (request.count == 0) {
        ++counts.empty_receives;
        return;
      }
      ++counts.received;
      counts.received_twice += ledger_.received.insert(request.items[0].id).second ? 0 : 1;
      return;
    case Operation::finish:
      ++counts.deleted;
      return;
    default:
      return;
  }
}

bool AskWorkload::next(Request& request) {
  request.operation = Operation::ask;
  request.count = 1;
  request.job = paths_[random_.below(paths_.size())];
  return true;
}

}  // namespace waybill::load
