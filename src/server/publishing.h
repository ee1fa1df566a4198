#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
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

  // Events of a contract that somebody will not be told, the first of them. Error not_found where the
  // contract is not in force or has no place to publish to.
  Result<std::vector<event::ParkedEvent>> parked(std::string_view contract) const;
  // Lets the parked event of this number, or without one all of them, be told again to those who refused.
  // Returns how many that were; not_found where that one is not parked.
  Result<std::size_t> tell_again(std::string_view contract, const std::optional<std::string>& number);

 private:
  const rules::Contracts& contracts_;
  const event::Tools tools_;
  mutable std::mutex mutex_;  // guards what follows
  std::unique_ptr<event::Publishers> publishers_;
};

}  // namespace waybill::server
