#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/entropy.h"
#include "base/result.h"
#include "contract/model.h"
#include "event/target.h"
#include "store/store.h"

namespace waybill::event {

// The value of a variable of the environment; nothing where it is not set.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;
std::optional<std::string> system_environment(const std::string& name);

// What targets are made with. All of it outlives them.
struct Tools {
  store::Store* store = nullptr;
  const Clock* clock = nullptr;
  Entropy* entropy = nullptr;
  Environment environment = system_environment;
};

struct NamedTarget {
  std::string name;  // "kafka runs-dev": the same after a restart, and another for each place of a contract
  std::unique_ptr<Target> target;
};

// The target that a contract's publication means. The contract has no errors (contract/check.h). Error
// invalid, with what to do, where a text leads nowhere or a variable is not set.
Result<NamedTarget> open_target(const contract::Contract& contract, const contract::Publication& publication,
                                const Tools& tools);

}  // namespace waybill::event
