#pragma once

#include <rocksdb/slice.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "engine/layout.h"
#include "store/store.h"

// What comes of one action on an item: pure decisions, the same on the writer and ahead of it.
namespace waybill::engine {

// One action once it has been looked at: what is stored, what its caller may see of that, what comes of it.
struct Decision {
  const table::Table* table = nullptr;
  rocksdb::PinnableSlice stored;
  std::optional<layout::Record> physical;  // what is on disk, expired or not
  std::optional<layout::Record> before;    // what counts as being there
  item::Item after;
  uint32_t after_bytes = 0;
  bool writes = false;
  bool leaves_item = false;  // after the write there is an item
  bool is_hidden = false;    // there is an item, and its author may not see it
  const store::Rules* rules = nullptr;
  std::unique_ptr<const store::Judged> judged;  // what the rules found out about `after`
};

// What was read is in `decision.stored`.
void take_stored(int64_t now_seconds, Decision& decision);

// An item that the author may not see counts as not being there: conditions and updates tell nothing of it.
void hide_out_of_reach(const store::Action& action, Decision& decision);

// Decides on what is stored; of kind put, the item is in `decision.after` already. What stands against the
// action goes into `result`.
void decide_action(const store::Action& action, Decision& decision, store::ActionResult& result);

// Takes over what the rules say of a change that they let through. What stands against the item that they put
// in the place of the one that was to be written goes into `result`.
void take_verdict(const store::Action& action, store::Verdict verdict, Decision& decision,
                  store::ActionResult& result);

// Says in `result` why the action can't be done.
void refuse(const store::Action& action, const Decision& decision, Error reason, store::ActionResult& result);

const store::Author& author_of(const store::Transaction& transaction);

// The change that a decision on one of the transaction's actions is, for rules. Views live as long as both.
store::Proposal proposal_of(const store::Transaction& transaction, std::size_t index,
                            const Decision& decision);

}  // namespace waybill::engine
