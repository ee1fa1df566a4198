#include "engine/transaction.h"

#include <algorithm>
#include <utility>

#include "engine/decision.h"
#include "engine/queues/book.h"
#include "engine/ruled.h"
#include "engine/writer.h"
#include "table/capacity.h"

namespace waybill::engine {

namespace {

using layout::Record;
using store::Action;
using store::ActionKind;
using store::ActionResult;
using store::Outcome;
using store::OutcomeKind;

Outcome failed(Error error) {
  Outcome outcome;
  outcome.kind = OutcomeKind::failed;
  outcome.error = std::move(error);
  return outcome;
}

Status look_up(const Action& action, const Batch& batch, Decision& decision) {
  WAYBILL_TRY_ASSIGN(const bool found, batch.read(decision.table->space, action.key, decision.stored));
  if (found) {
    take_stored(batch.now_seconds(), decision);
  }
  return {};
}

void count_write(table::SpaceId space, double units, Batch& batch) {
  batch.count_use({space, usage::Kind::write, usage::in_halves(units)});
}

// What the last write did to indexes, where the caller asked.
void tell_index_changes(const Action& action, const Batch& batch, ActionResult& result) {
  if (!action.wants_index_units) {
    return;
  }
  for (const auto& change : batch.state().entry_changes) {
    result.index_changes.push_back(
        {change.index->name, change.index->kind, change.removed_bytes, change.written_bytes});
  }
}

// Indexes are written once, in transactions too.
void count_entries(Batch& batch) {
  for (const auto& change : batch.state().entry_changes) {
    const double units = table::entry_units(change.removed_bytes, change.written_bytes);
    if (units > 0) {
      count_write(change.index->space, units, batch);
    }
  }
}

void count_committed(const store::Transaction& transaction, const ActionResult& result,
                     const table::Table& table, Batch& batch) {
  const double factor = transaction.costs_double ? table::transaction_factor : 1;
  count_write(table.space, factor * table::write_units(std::max(result.before_bytes, result.after_bytes)),
              batch);
}

queues::LiveQueue* find_queue(const Action& action, Batch& batch) {
  return batch.state().book->find(action.message->queue);
}

// The same for an action about a message.
Status decide_message(const Action& action, Batch& batch, ActionResult& result) {
  queues::LiveQueue* const queue = find_queue(action, batch);
  if (queue == nullptr) {
    return Error{ErrorKind::not_found,
                 "Requested resource not found: Queue: " + action.message->queue + " not found",
                 {}};
  }
  if (action.kind == ActionKind::send) {
    return {};
  }
  WAYBILL_TRY_ASSIGN(const auto settled,
                     queue->settle(batch, action.message->settlement, queues::LiveQueue::Purpose::check));
  if (settled != store::Settled::done) {
    result.refusal = Error{ErrorKind::condition_failed,
                           "The message is not held by this receipt any more: its visibility timeout is "
                           "over, it was received again, or it is deleted",
                           {}};
  }
  return {};
}

Status apply_message(const Action& action, Batch& batch) {
  queues::LiveQueue* const queue = find_queue(action, batch);
  if (action.kind == ActionKind::send) {
    WAYBILL_TRY(queue->send(batch, action.message->message));
  } else if (action.kind == ActionKind::settle) {
    WAYBILL_TRY(queue->settle(batch, action.message->settlement, queues::LiveQueue::Purpose::settle));
  }
  return {};
}

// A condition that fails is paid for like a write of the larger of both items. Of a transaction that is
// called off the service tells nothing; we take it that the second half of its work was not done.
void count_refused(const store::Transaction& transaction, const Outcome& outcome, Batch& batch) {
  const bool condition_failed = std::ranges::any_of(outcome.results, [](const ActionResult& result) {
    return result.refusal && result.refusal->kind == ErrorKind::condition_failed;
  });
  for (std::size_t i = 0; condition_failed && i < outcome.results.size(); ++i) {
    if (transaction.actions[i].message) {
      continue;
    }
    const auto bytes = std::max(outcome.results[i].before_bytes, transaction.actions[i].item_bytes);
    count_write(transaction.actions[i].table->space, table::write_units(bytes), batch);
  }
}

void apply(const Action& action, Decision& decision, Batch& batch, ActionResult& result) {
  if (action.wants_before && decision.before) {
    result.before = item::Item{std::string(decision.before->item.encoded())};
  }
  if (decision.writes) {
    std::optional<Record> after;
    if (decision.leaves_item) {
      after = Record{decision.after_bytes, decision.after.view()};
    }
    std::optional<std::string_view> stored;
    if (decision.physical) {
      stored = view(decision.stored);
    }
    const auto was = decision.before ? Batch::Was::alive : Batch::Was::expired;
    auto& entry_changes = batch.state().entry_changes;
    entry_changes.clear();
    batch.replace(*decision.table, action.key, stored, was, after, &entry_changes);
    count_entries(batch);
    tell_index_changes(action, batch, result);
  }
}

Status write_refusal_down(const store::Proposal& proposal, const Error& refusal, const store::Rules& rules,
                          BatchGround& ground, Batch& batch) {
  store::Effects effects;
  WAYBILL_TRY(rules.add_refusal(proposal, refusal, ground, effects));
  return apply_effects(effects, batch);
}

// Lets the rules of one action's table judge it.
Status judge_action(store::Transaction& transaction, std::size_t index, Decision& decision, Outcome& outcome,
                    BatchGround& ground, Batch& batch) {
  Action& action = transaction.actions[index];
  ActionResult& result = outcome.results[index];
  const auto proposal = proposal_of(transaction, index, decision);
  WAYBILL_TRY_ASSIGN(auto verdict, decision.rules->judge(proposal, ground));
  if (verdict.refusal) {
    ground.forget_intentions();
    WAYBILL_TRY(write_refusal_down(proposal, *verdict.refusal, *decision.rules, ground, batch));
    refuse(action, decision, *std::move(verdict.refusal), result);
    return {};
  }
  const bool is_replaced = verdict.instead.has_value();
  take_verdict(action, std::move(verdict), decision, result);
  if (is_replaced && !result.refusal) {
    ground.intend(decision.table->space, action.key, decision.after.view());
  }
  return {};
}

// Whether one of the tables that are written has rules.
Result<bool> find_rules(std::vector<Decision>& decisions, const Batch& batch) {
  bool found = false;
  for (auto& decision : decisions) {
    if (decision.writes && decision.table->has_rules) {
      WAYBILL_TRY_ASSIGN(decision.rules, rules_of(*decision.table, batch));
      found = true;
    }
  }
  return found;
}

Status judge(store::Transaction& transaction, std::vector<Decision>& decisions, Outcome& outcome,
             Batch& batch) {
  BatchGround ground(batch);
  for (std::size_t i = 0; i < decisions.size() && decisions.size() > 1; ++i) {
    if (decisions[i].writes) {
      ground.intend({decisions[i].table->space, transaction.actions[i].key,
                     proposal_of(transaction, i, decisions[i]).after});
    }
  }
  for (std::size_t i = 0; i < decisions.size() && outcome.kind != OutcomeKind::refused; ++i) {
    if (decisions[i].rules != nullptr) {
      WAYBILL_TRY(judge_action(transaction, i, decisions[i], outcome, ground, batch));
      if (outcome.results[i].refusal) {
        outcome.kind = OutcomeKind::refused;
      }
    }
  }
  return {};
}

// What comes with the changes. They are in the batch already, and so is all that was read to decide them: a
// disk that fails now fails the batch's write as well.
Status add_effects(const store::Transaction& transaction, const std::vector<Decision>& decisions,
                   Batch& batch) {
  BatchGround ground(batch);
  constexpr std::size_t effects_mostly = 8;
  store::Effects effects;
  effects.reserve(effects_mostly);
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    const Decision& decision = decisions[i];
    if (decision.rules == nullptr) {
      continue;
    }
    if (decision.physical && !decision.before) {
      WAYBILL_TRY(apply_expiry(*decision.table, transaction.actions[i].key, decision.physical->item, batch));
    }
    effects.clear();
    WAYBILL_TRY(decision.rules->add_effects(proposal_of(transaction, i, decision), ground, effects));
    WAYBILL_TRY(apply_effects(effects, batch));
  }
  return {};
}

// A token that was used before: nothing is done, but the sizes are told.
Outcome repeat(const store::Transaction& transaction, Batch& batch) {
  constexpr table::ReadUnits units{true};
  Outcome outcome;
  outcome.kind = OutcomeKind::repeated;
  for (const auto& action : transaction.actions) {
    if (action.message) {
      outcome.results.emplace_back();
      continue;
    }
    Decision decision;
    decision.table = action.table.get();
    if (auto looked = look_up(action, batch, decision); !looked) {
      return failed(std::move(looked).error());
    }
    hide_out_of_reach(action, decision);
    ActionResult result;
    result.before_bytes = result.after_bytes = decision.before ? decision.before->size_bytes : 0;
    const double used = table::transaction_factor * units.of(result.before_bytes);
    batch.count_use({action.table->space, usage::Kind::read, usage::in_halves(used)});
    outcome.results.push_back(std::move(result));
  }
  return outcome;
}

// The outcome where the token has been used; nullopt where the transaction is to go ahead.
std::optional<Outcome> check_token(const store::Transaction& transaction, Batch& batch) {
  auto used = batch.find_token(transaction.token->token);
  if (!used) {
    return failed(std::move(used).error());
  }
  if (!*used) {
    return std::nullopt;
  }
  if (**used != transaction.token->fingerprint) {
    return failed(Error{ErrorKind::token_mismatch,
                        "The provided ClientRequestToken was already used with different parameters",
                        {}});
  }
  return repeat(transaction, batch);
}

// Looks at one action. What stands against it goes into `result`; an Error means the store is in trouble.
Status look_at(Action& action, Batch& batch, Decision& decision, ActionResult& result) {
  decision.table = batch.state().find(action.table->space);
  if (decision.table == nullptr) {
    return Error{ErrorKind::not_found, "Requested resource not found", {}};
  }
  WAYBILL_TRY(look_up(action, batch, decision));
  if (action.kind == ActionKind::put) {
    decision.after = std::move(action.item);
  }
  decide_action(action, decision, result);
  return {};
}

Status look_at_all(store::Transaction& transaction, std::vector<Decision>& decisions, Outcome& outcome,
                   Batch& batch) {
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    Action& action = transaction.actions[i];
    ActionResult& result = outcome.results[i];
    if (action.message) {
      WAYBILL_TRY(decide_message(action, batch, result));
    } else {
      WAYBILL_TRY(look_at(action, batch, decisions[i], result));
    }
    if (result.refusal) {
      outcome.kind = OutcomeKind::refused;
    }
  }
  return {};
}

// What it reads was read a moment ago; a disk that fails now fails the batch's write as well.
void apply_all(const store::Transaction& transaction, std::vector<Decision>& decisions, Outcome& outcome,
               Batch& batch) {
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    if (transaction.actions[i].message) {
      if (auto applied = apply_message(transaction.actions[i], batch); !applied) {
        end_process("a message could not be read: " + applied.error().detail);
      }
      continue;
    }
    apply(transaction.actions[i], decisions[i], batch, outcome.results[i]);
    count_committed(transaction, outcome.results[i], *decisions[i].table, batch);
  }
}

}  // namespace

Outcome decide(store::Transaction& transaction, Batch& batch) {
  if (transaction.token) {
    if (auto told = check_token(transaction, batch)) {
      return *std::move(told);
    }
  }
  Outcome outcome;
  outcome.results.resize(transaction.actions.size());
  std::vector<Decision> decisions(transaction.actions.size());
  if (auto looked = look_at_all(transaction, decisions, outcome, batch); !looked) {
    return failed(std::move(looked).error());
  }
  const auto has_rules =
      outcome.kind == OutcomeKind::refused ? Result<bool>(false) : find_rules(decisions, batch);
  if (!has_rules) {
    return failed(has_rules.error());
  }
  if (*has_rules) {
    if (auto judged = judge(transaction, decisions, outcome, batch); !judged) {
      return failed(std::move(judged).error());
    }
  }
  if (outcome.kind == OutcomeKind::refused) {
    count_refused(transaction, outcome, batch);
    return outcome;
  }
  apply_all(transaction, decisions, outcome, batch);
  if (*has_rules) {
    if (auto added = add_effects(transaction, decisions, batch); !added) {
      end_process("what comes with a change could not be read: " + added.error().message);
    }
  }
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    if (transaction.actions[i].wants_after && decisions[i].leaves_item) {
      outcome.results[i].after = std::move(decisions[i].after);
    }
  }
  if (transaction.token) {
    batch.note_token(transaction.token->token, transaction.token->fingerprint);
  }
  return outcome;
}

}  // namespace waybill::engine
