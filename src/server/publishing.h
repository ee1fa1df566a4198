#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "base/result.h"
#include "event/publishers.h"
#include "rules/contracts.h"

namespace waybill::server {

// The publishers of the contracts that are in force.
//
// Thread safety: every method may be called from any thread.
class Publishing {
 public:
  // What is given outlives it.
  Publishing(const rules::Contracts& contracts, event::Tools tools)
      : contracts_(contracts), tools_(std::move(tools)) {}

  // Begins, or begins anew with what is in force now. The error says what to do; then nothing is published.
  Status restart();

  // Of contracts that publish.
  std::vector<event::Counts> counts() const;

 private:
  const rules::Contracts& contracts_;
  const event::Tools tools_;
  mutable std::mutex mutex_;  // guards what follows
  std::unique_ptr<event::Publishers> publishers_;
};

}  // namespace waybill::server
