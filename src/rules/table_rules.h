#pragma once

#include <memory>

#include "contract/model.h"
#include "rules/deployed.h"
#include "store/rules.h"

namespace waybill::rules {

// The rules that a contract in force is for its table. Where `enforcement` is log, what breaks a rule is
// written down and let through; where it is off, there are no rules.
std::shared_ptr<const store::Rules> make_rules(DeployedPtr deployed);

}  // namespace waybill::rules
