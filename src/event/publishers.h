#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "event/ledger.h"
#include "event/open_target.h"
#include "event/publisher.h"
#include "rules/deployed.h"
#include "store/store.h"

namespace waybill::event {

// Tells the events of all contracts that are in force, each to all of its places.
//
// Thread safety: every method may be called from any thread but the store's own.
class Publishers {
 public:
  struct Options {
    Tools tools;
    int64_t look_interval_ms = 200;
    // Makes targets; another one for tests.
    std::function<Result<NamedTarget>(const contract::Contract&, const contract::Publication&, const Tools&)>
        open = open_target;
  };

  // Whether all places of this contract can be told, once it is in force. Tells nobody anything. Error
  // invalid, with what to do.
  static Status check(const contract::Contract& contract, const Options& options);

  // Begins. The store has the system's tables (rules::make_system_tables); all that the options refer to
  // outlives this. Error invalid, with what to do, where a place can't be told.
  static Result<std::unique_ptr<Publishers>> start(const std::vector<rules::DeployedPtr>& contracts,
                                                   const Options& options);
  // Ends after the attempts that are under way, which are cut short. What is not told yet stays pending.
  ~Publishers();
  Publishers(const Publishers&) = delete;
  Publishers& operator=(const Publishers&) = delete;

  // There may be new events: they are looked for at once, not at the next look.
  void wake();

  // Of contracts that have a place to publish to.
  Result<std::vector<Counts>> counts() const;

  // Error not_found where the contract is not in force or has no place to publish to.
  Result<std::vector<ParkedEvent>> parked(std::string_view contract, std::size_t count_max) const;
  // Lets a parked event be told again to those who refused it; not_found where it is not parked.
  Status unpark(std::string_view contract, const RowKey& key);
  // The same for the first of those that are parked. Returns how many that were.
  Result<std::size_t> unpark_all(std::string_view contract, std::size_t count_max);

 private:
  struct Contract;
  Publishers() = default;
  Result<Contract*> find(std::string_view contract) const;

  std::vector<std::unique_ptr<Contract>> contracts_;
};

}  // namespace waybill::event
