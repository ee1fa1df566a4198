#include "rules/adopt.h"

#include "rules/arrival.h"
#include "rules/draft.h"

namespace waybill::rules {

bool is_adopted(const store::Author& author) {
  return author.operation == adopt_operation;
}

std::optional<item::Item> adopt(const KindPlan& kind, item::ItemView record) {
  if (kind.record->role != contract::Role::ordinary) {
    return {};
  }
  Draft draft(kind, std::nullopt, record);
  if (fill_adopted(draft, record)) {
    return {};
  }
  return draft.finish();
}

Status add_adoption(const Plan& plan, const KindPlan& kind, const store::Proposal& proposal,
                    store::Ground& ground, store::Effects& effects) {
  if (kind.record->role != contract::Role::ordinary || !proposal.after) {
    return {};
  }
  const store::Proposal as_new{proposal.table, proposal.key,    std::nullopt,
                               proposal.after, proposal.author, proposal.expired};
  const Happening there = happening_of(plan, kind, as_new);
  add_tags(there, ground, effects);
  WAYBILL_TRY(add_version(there, {}, ground, effects));
  WAYBILL_TRY(add_waiting(there, ground, effects));
  WAYBILL_TRY(add_mirrors(there, ground, effects));
  return add_idempotency(there, ground, effects);
}

}  // namespace waybill::rules
