#include "job/change.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <utility>

#include "job/actions.h"
#include "job/machine.h"
#include "table/key.h"

namespace waybill::job {

namespace {

using store::ActionKind;
using store::Outcome;
using store::OutcomeKind;
using store::Transaction;

// How often a record may change under our hands, and how many transactions one operation may be.
constexpr int rounds_max = 32;

bool is_about_receive(ActionKind kind) {
  return kind == ActionKind::hold || kind == ActionKind::settle;
}

// One operation on its way; it lives as long as the store has a callback of it.
class Run : public std::enable_shared_from_this<Run> {
 public:
  Run(const Services& services, Target target, std::string_view operation, Decide decide,
      Answer<Changed> done)
      : services_(services),
        target_(std::move(target)),
        author_(author_of(target_.author, operation)),
        decide_(std::move(decide)),
        done_(std::move(done)) {}

  void begin() {
    if (auto began = try_round(); !began) {
      done_(std::move(began).error());
    }
  }

 private:
  Status try_round() {
    if (++rounds_ > rounds_max) {
      return Error{ErrorKind::unavailable, "The record changes too often: try again", {}};
    }
    WAYBILL_TRY_ASSIGN(const auto table, table_of(services_, target_.subject));
    WAYBILL_TRY_ASSIGN(const auto key,
                       rules::key_of_id(*target_.subject.contract, *target_.subject.kind, target_.id));
    WAYBILL_TRY_ASSIGN(auto record, find_record(services_, target_.subject, key.view()));
    if (!record || (target_.reach && !target_.reach->covers(*table, record->view()))) {
      return no_record(target_.subject, target_.id);
    }
    WAYBILL_TRY_ASSIGN(auto plan, decide_(Draft(*std::move(record))));
    WAYBILL_TRY(check_key(*table, plan.draft));
    if (plan.repeated) {
      done_(Changed{plan.draft.seen(), true});
    } else {
      commit(table, key, std::move(plan));
    }
    return {};
  }

  // A record stays where it is: what its key is made of is not for patches.
  Status check_key(const table::Table& table, const Draft& draft) const {
    std::vector<std::string> names = target_.subject.kind->key_fields;
    names.push_back(table.key.partition.name);
    if (table.key.sort) {
      names.push_back(table.key.sort->name);
    }
    const auto changed =
        std::ranges::find_if(names, [&](const std::string& name) { return draft.changes(name); });
    if (changed == names.end()) {
      return {};
    }
    return Error{ErrorKind::invalid, *changed + " never changes: the record's key is made of it", *changed};
  }

  void commit(const table::TablePtr& table, const item::Item& key, Plan plan) {
    Transaction transaction;
    transaction.author = author_;
    transaction.actions.push_back(plan.removes ? removal_of(table, key, plan.draft)
                                               : change_of(table, key, plan.draft));
    transaction.actions.front().reach = target_.reach;
    std::ranges::move(plan.with, std::back_inserter(transaction.actions));
    kinds_ = kinds_of(transaction);
    services_.store.commit(std::move(transaction), [self = shared_from_this(), seen = plan.draft.seen(),
                                                    goes_on = plan.goes_on](Outcome outcome) mutable {
      self->answer(std::move(outcome), std::move(seen), goes_on);
    });
  }

  void answer(Outcome outcome, item::Item seen, bool goes_on) {
    if (outcome.kind == OutcomeKind::failed) {
      done_(*std::move(outcome.error));
      return;
    }
    if (outcome.kind == OutcomeKind::refused) {
      if (auto refusal = refusal_of(kinds_, outcome)) {
        done_(*std::move(refusal));
      } else {
        begin();
      }
      return;
    }
    if (goes_on) {
      begin();
      return;
    }
    auto& result = outcome.results.front();
    auto& record = result.after ? result.after : result.before;
    done_(Changed{record ? *std::move(record) : std::move(seen), false});
  }

  const Services services_;
  const Target target_;
  const std::shared_ptr<const store::Author> author_;
  Decide decide_;
  Answer<Changed> done_;
  std::vector<ActionKind> kinds_;
  int rounds_ = 0;
};

}  // namespace

void change(const Services& services, Target target, std::string_view operation, Decide decide,
            Answer<Changed> done) {
  std::make_shared<Run>(services, std::move(target), operation, std::move(decide), std::move(done))->begin();
}

Result<table::TablePtr> table_of(const Services& services, const Subject& subject) {
  auto table = services.store.find_table(subject.contract->table);
  if (table == nullptr) {
    return Error{
        ErrorKind::unavailable, "The contract's table " + subject.contract->table + " is not there", {}};
  }
  return table;
}

Result<std::optional<item::Item>> find_record(const Services& services, const Subject& subject,
                                              item::ItemView key) {
  WAYBILL_TRY_ASSIGN(const auto table, table_of(services, subject));
  WAYBILL_TRY_ASSIGN(auto found, services.store.get(*table, table::primary_key(table->key, key)));
  return found ? std::optional(std::move(found->item)) : std::nullopt;
}

Error no_record(const Subject& subject, std::string_view id) {
  return {ErrorKind::not_found,
          "There is no " + subject.record().name + " \"" + std::string(id) + "\" of contract " +
              subject.contract->contract.name,
          {}};
}

Error wrong_state(const Subject& subject, std::string_view what, const std::string& state) {
  const std::string rule = is_end(subject.record(), state) ? "ends" : "moves";
  return {ErrorKind::condition_failed,
          "Contract " + subject.contract->contract.name + ", " + subject.record().name + ": it is " + state +
              ", and cannot " + std::string(what) + " (rule " + rule + ")",
          rule};
}

std::vector<ActionKind> kinds_of(const Transaction& transaction) {
  std::vector<ActionKind> kinds;
  kinds.reserve(transaction.actions.size());
  for (const auto& action : transaction.actions) {
    kinds.push_back(action.kind);
  }
  return kinds;
}

std::optional<Error> refusal_of(const std::vector<ActionKind>& kinds, const Outcome& outcome) {
  std::optional<Error> refusal;
  for (std::size_t i = 0; i < outcome.results.size(); ++i) {
    const auto& reason = outcome.results[i].refusal;
    if (!reason) {
      continue;
    }
    if (is_about_receive(kinds[i])) {
      return Error{ErrorKind::lease_lost,
                   "The lease does not hold any more: its time is over, or somebody else has the record",
                   {}};
    }
    const bool has_changed = reason->kind == ErrorKind::condition_failed && reason->detail.empty();
    if (!has_changed && !refusal) {
      refusal = *reason;
    }
  }
  return refusal;
}

}  // namespace waybill::job
