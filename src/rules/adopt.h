#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "rules/effects.h"
#include "store/rules.h"

// Records that were in a table before its contract. A walk writes each of them again as it is, as an author
// of this operation; what the contract makes of a record is made of it then. Nobody is told, nobody works
// because of it, no history begins with it: the record has become what it is without the contract.
namespace waybill::rules {

inline constexpr std::string_view adopt_operation = "adopt";  // of an author
bool is_adopted(const store::Author& author);

// The record with the fields of its key and its computed attributes; nothing where that is the record as it
// is. Its time to live stays what it is, so that nothing goes because a contract came. What else the contract
// asks for is left to whoever writes the record next.
std::optional<item::Item> adopt(const KindPlan& kind, item::ItemView record);

// What is found by other ways than the record's key: tags, mirrors, its idempotency key, the object that it
// waits for, its number among the versions that are kept. What is there already stays as it is.
Status add_adoption(const Plan& plan, const KindPlan& kind, const store::Proposal& proposal,
                    store::Ground& ground, store::Effects& effects);

}  // namespace waybill::rules
