#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "item/value.h"

// TransactionCanceledException: why each action of a transaction stood against it.
namespace waybill::api::dynamodb {

struct CancellationReason {
  std::optional<Error> error;      // nullopt: nothing was wrong with this action
  std::optional<item::Item> item;  // shown where the action asked for it
};

// Whether the service refuses the whole request for this fault of one action, not with a reason: it does so
// for empty key values, which it finds before it looks at any table.
bool refuses_request(const Error& error);

// {"__type":…,"Message":"Transaction cancelled, …","CancellationReasons":[…]}, the reasons in the order of
// the actions.
std::string cancellation_body(const std::vector<CancellationReason>& reasons);

}  // namespace waybill::api::dynamodb
