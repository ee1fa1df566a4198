#include "event/publishers.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace waybill::event {

struct Publishers::Contract {
  std::string name;
  std::optional<Ledger> ledger;
  std::vector<std::unique_ptr<Publisher>> publishers;  // they end before the ledger
};

namespace {

Result<std::vector<NamedTarget>> open_all(const contract::Contract& contract,
                                          const Publishers::Options& options) {
  std::vector<NamedTarget> targets;
  for (const auto& publication : contract.publish) {
    WAYBILL_TRY_ASSIGN(auto target, options.open(contract, publication, options.tools));
    const bool is_taken =
        std::ranges::any_of(targets, [&](const auto& other) { return other.name == target.name; });
    if (is_taken) {
      return invalid("contract " + contract.name + ": it publishes twice to " + target.name +
                     ": keep one of them");
    }
    targets.push_back(std::move(target));
  }
  return targets;
}

Audience audience_of(const std::string& contract, const std::vector<NamedTarget>& targets) {
  Audience audience{contract, {}};
  for (const auto& target : targets) {
    audience.targets.push_back(target.name);
  }
  return audience;
}

}  // namespace

Status Publishers::check(const contract::Contract& contract, const Options& options) {
  WAYBILL_TRY(open_all(contract, options));
  return {};
}

Result<std::unique_ptr<Publishers>> Publishers::start(const std::vector<rules::DeployedPtr>& contracts,
                                                      const Options& options) {
  std::unique_ptr<Publishers> made(new Publishers());
  std::vector<std::vector<NamedTarget>> targets;
  for (const auto& deployed : contracts) {
    WAYBILL_TRY_ASSIGN(auto opened, open_all(deployed->contract, options));
    targets.push_back(std::move(opened));
  }
  // Nobody is told anything before all is known to be right.
  for (std::size_t i = 0; i < contracts.size(); ++i) {
    if (targets[i].empty()) {
      continue;
    }
    auto& contract = *made->contracts_.emplace_back(std::make_unique<Contract>());
    contract.name = contracts[i]->contract.name;
    contract.ledger.emplace(*options.tools.store, *options.tools.clock,
                            audience_of(contract.name, targets[i]));
    for (auto& target : targets[i]) {
      contract.publishers.push_back(std::make_unique<Publisher>(
          *contract.ledger, Publisher::Options{std::move(target.name), std::move(target.target),
                                               options.tools.clock, options.look_interval_ms}));
    }
  }
  return made;
}

Publishers::~Publishers() = default;

void Publishers::wake() {
  for (const auto& contract : contracts_) {
    for (const auto& publisher : contract->publishers) {
      publisher->wake();
    }
  }
}

Result<std::vector<Counts>> Publishers::counts() const {
  std::vector<Counts> all;
  for (const auto& contract : contracts_) {
    WAYBILL_TRY_ASSIGN(auto counts, contract->ledger->counts());
    all.push_back(std::move(counts));
  }
  return all;
}

Result<Publishers::Contract*> Publishers::find(std::string_view contract) const {
  const auto found =
      std::ranges::find_if(contracts_, [&](const auto& each) { return each->name == contract; });
  if (found == contracts_.end()) {
    return Error{ErrorKind::not_found,
                 "no contract " + std::string(contract) + " is in force that has a place to publish to",
                 {}};
  }
  return found->get();
}

Result<std::vector<ParkedEvent>> Publishers::parked(std::string_view contract, std::size_t count_max) const {
  WAYBILL_TRY_ASSIGN(const auto* const found, find(contract));
  return found->ledger->parked(count_max);
}

Status Publishers::unpark(std::string_view contract, const RowKey& key) {
  WAYBILL_TRY_ASSIGN(auto* const found, find(contract));
  WAYBILL_TRY(found->ledger->unpark(key));
  for (const auto& publisher : found->publishers) {
    publisher->begin_again();
  }
  return {};
}

Result<std::size_t> Publishers::unpark_all(std::string_view contract, std::size_t count_max) {
  WAYBILL_TRY_ASSIGN(auto* const found, find(contract));
  WAYBILL_TRY_ASSIGN(const std::size_t count, found->ledger->unpark_all(count_max));
  for (const auto& publisher : found->publishers) {
    publisher->begin_again();
  }
  return count;
}

}  // namespace waybill::event
