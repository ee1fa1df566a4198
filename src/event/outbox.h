#pragma once

#include <optional>

#include "item/value.h"
#include "store/store.h"

namespace waybill::event {

// What sets the status of the item in the contract's own outbox to "published", where the row of the journal
// has one: `outbox` M {table S, and the item's key}. It is refused where that item is gone. Nothing where the
// row has none, or names no table.
std::optional<store::Action> mark_of_outbox(const store::Store& store, item::ItemView row);

}  // namespace waybill::event
