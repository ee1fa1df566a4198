#include "engine/decision.h"

#include <string>
#include <utility>

#include "access/reach.h"
#include "engine/database.h"
#include "table/key.h"
#include "table/validate.h"

namespace waybill::engine {

namespace {

using store::Action;
using store::ActionKind;
using store::ActionResult;

Error condition_failed() {
  return Error{ErrorKind::condition_failed, "The conditional request failed", {}};
}

Error out_of_reach(const table::Table& table) {
  return Error{ErrorKind::access_denied, {}, "table/" + table.name};
}

// Of an action that has a reach.
bool is_out_of_reach(const Action& action, const table::Table& table, item::ItemView item) {
  return !action.reach->covers(table, item);
}

// Whether the author may not do what all else allows: write where somebody else's item is, make or leave an
// item out of reach, or remove one that is not seen, whether there is one or not.
bool is_denied(const Action& action, const Decision& decision) {
  if (action.reach == nullptr) {
    return false;
  }
  if (action.kind == ActionKind::remove) {
    return !decision.before && is_out_of_reach(action, *decision.table, action.item.view());
  }
  return decision.leaves_item &&
         (decision.is_hidden || is_out_of_reach(action, *decision.table, decision.after.view()));
}

Status check_put(const Action& action, Decision& decision) {
  decision.after_bytes = action.item_bytes != 0 ? action.item_bytes : item::size_bytes(decision.after.view());
  // The caller has checked the item against the table it saw.
  if (action.table.get() == decision.table) {
    return {};
  }
  return table::check_item(*decision.table, decision.after.view(), decision.after_bytes, table::Change::put);
}

Status make_update(const Action& action, Decision& decision) {
  using expression::ItemPresence;
  const item::ItemView from = decision.before ? decision.before->item : action.item.view();
  const auto presence = decision.before ? ItemPresence::existing : ItemPresence::missing;
  WAYBILL_TRY_ASSIGN(decision.after, action.update->apply(from, presence));
  decision.after_bytes = item::size_bytes(decision.after.view());
  return table::check_item(*decision.table, decision.after.view(), decision.after_bytes,
                           table::Change::update);
}

Status make_after(const Action& action, Decision& decision) {
  switch (action.kind) {
    case ActionKind::put:
      decision.writes = decision.leaves_item = true;
      return check_put(action, decision);
    case ActionKind::update:
      decision.writes = decision.leaves_item = true;
      return make_update(action, decision);
    case ActionKind::remove:
      decision.writes = decision.physical.has_value();
      return {};
    case ActionKind::check:
    case ActionKind::send:
    case ActionKind::settle:
    case ActionKind::hold:
      return {};
  }
  return {};
}

}  // namespace

void take_stored(int64_t now_seconds, Decision& decision) {
  decision.physical = layout::read_record(view(decision.stored));
  if (!table::is_expired(decision.table->ttl, decision.physical->item, now_seconds)) {
    decision.before = decision.physical;
  }
}

void hide_out_of_reach(const Action& action, Decision& decision) {
  if (action.reach != nullptr && decision.before &&
      is_out_of_reach(action, *decision.table, decision.before->item)) {
    decision.before.reset();
    decision.is_hidden = true;
  }
}

void refuse(const Action& action, const Decision& decision, Error reason, ActionResult& result) {
  if (action.wants_item_on_failure && decision.before && reason.kind == ErrorKind::condition_failed) {
    result.before = item::Item{std::string(decision.before->item.encoded())};
  }
  result.refusal = std::move(reason);
}

void decide_action(const Action& action, Decision& decision, ActionResult& result) {
  hide_out_of_reach(action, decision);
  result.before_bytes = decision.before ? decision.before->size_bytes : 0;
  const item::ItemView seen = decision.before ? decision.before->item : item::ItemView();
  if (action.condition && !action.condition->holds(seen)) {
    refuse(action, decision, condition_failed(), result);
    return;
  }
  if (auto made = make_after(action, decision); !made) {
    refuse(action, decision, std::move(made).error(), result);
    return;
  }
  if (is_denied(action, decision)) {
    refuse(action, decision, out_of_reach(*decision.table), result);
    return;
  }
  if (decision.leaves_item) {
    result.after_bytes = decision.after_bytes;
  }
}

void take_verdict(const Action& action, store::Verdict verdict, Decision& decision, ActionResult& result) {
  decision.judged = std::move(verdict.judged);
  if (!verdict.instead) {
    return;
  }
  decision.after = *std::move(verdict.instead);
  const bool is_measured = decision.judged && decision.judged->is_about(decision.after.view());
  decision.after_bytes = result.after_bytes =
      is_measured ? decision.judged->size_bytes : item::size_bytes(decision.after.view());
  if (auto checked =
          table::check_item(*decision.table, decision.after.view(), decision.after_bytes, table::Change::put);
      !checked) {
    refuse(action, decision, std::move(checked).error(), result);
  } else if (is_denied(action, decision)) {
    refuse(action, decision, out_of_reach(*decision.table), result);
  }
}

const store::Author& author_of(const store::Transaction& transaction) {
  static const store::Author system{"waybill", {}, {}};
  return transaction.author ? *transaction.author : system;
}

store::Proposal proposal_of(const store::Transaction& transaction, std::size_t index,
                            const Decision& decision) {
  store::Proposal proposal{*decision.table, transaction.actions[index].key, std::nullopt,
                           std::nullopt,    author_of(transaction),         false};
  if (decision.before) {
    proposal.before = decision.before->item;
  }
  if (decision.leaves_item) {
    proposal.after = decision.after.view();
    proposal.after_bytes = decision.after_bytes;
    proposal.judged = decision.judged.get();
  }
  return proposal;
}

}  // namespace waybill::engine
