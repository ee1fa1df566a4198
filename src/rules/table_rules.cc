#include "rules/table_rules.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/log.h"
#include "rules/adopt.h"
#include "rules/arrival.h"
#include "rules/audit.h"
#include "rules/draft.h"
#include "rules/effects.h"
#include "rules/plan.h"
#include "rules/system_tables.h"
#include "table/key.h"

namespace waybill::rules {

namespace {

using contract::Enforcement;
using store::Ground;
using store::Proposal;
using store::Verdict;

// What the key of an item tells of it.
struct Found {
  const KindPlan* kind = nullptr;      // it is a record of this kind …
  const MirrorPlan* mirror = nullptr;  // … or, where this is not null, a mirror of one
};

std::optional<std::string_view> string_in(item::ItemView item, const std::string& name) {
  const auto value = item.find(name);
  return value && value->type() == item::Type::string ? std::optional(value->bytes()) : std::nullopt;
}

// A client's line must not look like one of the system's, by which a trail is verified.
std::optional<Refusal> judge_line(const Proposal& proposal) {
  if (proposal.before) {
    return Refusal{{"audit", "audit", "lines are only ever added"}, true};
  }
  for (const auto name : chain_attributes) {
    if (proposal.after->find(name)) {
      return Refusal{{"audit", std::string(name), "is in lines of the system's own alone"}, false};
    }
  }
  return {};
}

// " (correlationId c-1, traceId t-1)": how a line of the log is found from elsewhere.
std::string trace_of(const Happening& happening) {
  constexpr std::size_t value_bytes_max = 128;
  std::string text;
  for (const uint16_t slot : happening.kind.trace) {
    if (const std::string value = text_in(happening.last(), slot); !value.empty()) {
      text += (text.empty() ? " (" : ", ") + happening.kind.names.name(slot) + " " +
              value.substr(0, value_bytes_max);
    }
  }
  return text.empty() ? text : text + ")";
}

class TableRules final : public store::Rules {
 public:
  explicit TableRules(DeployedPtr deployed) : plan_(compile(std::move(deployed))) {}

  Result<Verdict> judge(const Proposal& proposal, Ground& ground) const override;
  Status add_effects(const Proposal& proposal, Ground& ground, store::Effects& effects) const override;
  Status add_refusal(const Proposal& proposal, const Error& refusal, Ground& ground,
                     store::Effects& effects) const override;
  void begin_counting(store::Effects& effects) const override;
  void add_to_counts(const table::Table& table, item::ItemView item, store::Effects& effects) const override;

 private:
  const contract::Contract& contract() const { return plan_.deployed->contract; }
  bool only_logs() const { return contract().enforcement == Enforcement::log; }
  Found find(item::ItemView item) const;
  Happening happening(const KindPlan& kind, const Proposal& proposal) const {
    return happening_of(plan_, kind, proposal);
  }
  Error error_of(const KindPlan& kind, const Refusal& refusal) const;
  Error no_such_kind() const;
  Result<std::optional<item::Item>> record_of_mirror(const Found& found, const Proposal& proposal,
                                                     const Ground& ground) const;
  Result<Verdict> judge_mirror(const Found& found, const Proposal& proposal, Ground& ground) const;
  Result<Verdict> judge_record(const KindPlan& kind, const Proposal& proposal, Ground& ground) const;
  std::optional<Refusal> judge_removal(const KindPlan& kind, const Proposal& proposal) const;
  Result<std::optional<Error>> judge_new(const KindPlan& kind, const Proposal& proposal, item::ItemView after,
                                         Ground& ground) const;
  Verdict verdict(std::optional<Error> refusal, std::optional<item::Item> instead) const;
  Status add_violation(const KindPlan& kind, const Proposal& proposal, Ground& ground,
                       store::Effects& effects) const;

  Plan plan_;
};

Found TableRules::find(item::ItemView item) const {
  for (const auto& kind : plan_.kinds) {
    if (has_key(kind.record->key, item)) {
      return {&kind, nullptr};
    }
  }
  for (const auto& kind : plan_.kinds) {
    for (const auto& mirror : kind.mirrors) {
      if (has_key(mirror.mirror->key, item)) {
        return {&kind, &mirror};
      }
    }
  }
  return {};
}

// "Contract orchestrator, job: status may not go from completed to running; … (rule moves)"
Error TableRules::error_of(const KindPlan& kind, const Refusal& refusal) const {
  return Error{refusal.is_conflict ? ErrorKind::condition_failed : ErrorKind::invalid,
               "Contract " + contract().name + ", " + kind.record->name + ": " + refusal.flaw.path + " " +
                   refusal.flaw.text + " (rule " + refusal.flaw.rule + ")",
               refusal.is_conflict ? refusal.flaw.rule : refusal.flaw.path};
}

Error TableRules::no_such_kind() const {
  std::string kinds;
  for (const auto& kind : plan_.kinds) {
    kinds += (kinds.empty() ? "" : ", ") + kind.record->name;
  }
  return Error{
      ErrorKind::invalid,
      "Contract " + contract().name + ": no kind of record has this key; there are: " + kinds + " (rule key)",
      "key"};
}

Verdict TableRules::verdict(std::optional<Error> refusal, std::optional<item::Item> instead) const {
  if (refusal && !only_logs()) {
    return {std::move(refusal), {}};
  }
  return {{}, std::move(instead)};
}

// With the fields of its key, also where whoever writes it has left them out. Nothing where there is none.
Result<std::optional<item::Item>> TableRules::record_of_mirror(const Found& found, const Proposal& proposal,
                                                               const Ground& ground) const {
  const item::ItemView item = proposal.after ? *proposal.after : *proposal.before;
  item::Item fields;
  for (const auto& [attribute, text] : found.mirror->mirror->key) {
    const auto parts = text.match(string_in(item, attribute).value_or(""));
    for (const auto& [name, value] : parts.value_or(std::map<std::string, std::string>())) {
      if (!fields.view().find(name)) {
        add_string(fields, name, value);
      }
    }
  }
  const auto key = key_of_fields(*plan_.deployed, *found.kind->kind, fields.view());
  if (!key) {
    return std::optional<item::Item>();
  }
  WAYBILL_TRY_ASSIGN(auto record,
                     ground.get(proposal.table, table::primary_key(proposal.table.key, key->view())));
  for (item::AttributeCursor cursor(key->view()); record && cursor.next();) {
    if (!record->view().find(cursor.name())) {
      record->encoded.append(cursor.encoded());
    }
  }
  return record;
}

// A mirror is what its record makes of it: what a client writes there is replaced, alone or with the record.
Result<Verdict> TableRules::judge_mirror(const Found& found, const Proposal& proposal, Ground& ground) const {
  WAYBILL_TRY_ASSIGN(const auto record, record_of_mirror(found, proposal, ground));
  auto meant = record ? mirror_of(*found.kind, *found.mirror, found.kind->gather(record->view()))
                      : std::optional<item::Item>();
  const bool is_its_own = meant && table::primary_key(proposal.table.key, meant->view()) == proposal.key;
  if (is_its_own == proposal.after.has_value()) {
    return Verdict{{}, is_its_own ? std::move(meant) : std::nullopt};
  }
  const std::string text =
      is_its_own ? "is written with its " + found.kind->record->name + ", and stays as long as that"
                 : "is written with its " + found.kind->record->name + ", and there is none";
  return verdict(error_of(*found.kind, {{"mirrors", found.mirror->mirror->name, text}, true}), {});
}

std::optional<Refusal> TableRules::judge_removal(const KindPlan& kind, const Proposal& proposal) const {
  if (kind.record->role == contract::Role::audit && !proposal.expired) {
    return Refusal{{"audit", "audit", "lines are only ever added"}, true};
  }
  return {};
}

// What only concerns new records, and is asked of the store.
Result<std::optional<Error>> TableRules::judge_new(const KindPlan& kind, const Proposal& proposal,
                                                   item::ItemView after, Ground& ground) const {
  if (proposal.before || (!kind.record->idempotency && kind.record->quotas.empty())) {
    return std::optional<Error>();
  }
  const Proposal as_filled{proposal.table, proposal.key, {}, after, proposal.author, false};
  const Happening created = happening(kind, as_filled);
  WAYBILL_TRY_ASSIGN(const auto holder, holder_of_key(created, ground));
  if (holder) {
    return std::optional(Error{ErrorKind::key_in_use,
                               "Contract " + contract().name + ", " + kind.record->name +
                                   ": its idempotency key is that of " + *holder + " (rule idempotency)",
                               *holder});
  }
  // Quotas are about new work; what is there already has to find room.
  std::optional<Error> exceeded;
  if (!is_imported(proposal.author)) {
    WAYBILL_TRY_ASSIGN(exceeded, check_quotas(created, ground));
  }
  if (!exceeded && ground.is_shared()) {
    store::Effects effects;
    add_counts(created, effects);
    WAYBILL_TRY(add_quota_counts(created, ground, effects));
    WAYBILL_TRY(add_idempotency(created, ground, effects));
    ground.foresee(std::move(effects));
  }
  return exceeded;
}

std::unique_ptr<JudgedRecord> judged_of(Draft& draft, const Proposal& proposal, item::ItemView after,
                                        uint32_t size_bytes) {
  auto judged = std::make_unique<JudgedRecord>();
  judged->item = after.encoded();
  judged->size_bytes = size_bytes;
  judged->kind = &draft.kind();
  judged->before_item = proposal.before ? proposal.before->encoded() : std::string_view();
  judged->before = draft.take_before();
  judged->after = draft.take_after();
  return judged;
}

Result<Verdict> TableRules::judge_record(const KindPlan& kind, const Proposal& proposal,
                                         Ground& ground) const {
  if (kind.record->role == contract::Role::audit) {
    if (const auto refusal = judge_line(proposal)) {
      return verdict(error_of(kind, *refusal), {});
    }
  }
  Draft draft(kind, proposal.before, *proposal.after);
  auto refusal = is_imported(proposal.author) ? fill_imported(draft, *proposal.after, ground.now_ms())
                                              : fill(draft, *proposal.after, ground.now_ms());
  if (!refusal && kind.record->other_fields == contract::OtherFields::refuse) {
    refusal = check_names(kind, proposal.table.key, *proposal.after);
  }
  if (!refusal) {
    refusal = check(draft);
  }
  if (!refusal) {
    refusal = check_move(draft, proposal.author.operation);
  }
  const int64_t size_change_bytes = draft.size_change_bytes();
  auto instead = draft.finish();
  if (refusal) {
    return verdict(error_of(kind, *refusal), std::move(instead));
  }
  const item::ItemView after = instead ? instead->view() : *proposal.after;
  WAYBILL_TRY_ASSIGN(auto taken, judge_new(kind, proposal, after, ground));
  const int64_t size_bytes = proposal.after_bytes + size_change_bytes;
  Verdict made = verdict(std::move(taken), std::move(instead));
  if (!made.refusal && proposal.after_bytes > 0) {
    made.judged = judged_of(draft, proposal, after, static_cast<uint32_t>(size_bytes));
  }
  return made;
}

Result<Verdict> TableRules::judge(const Proposal& proposal, Ground& ground) const {
  const Found found = find(proposal.after ? *proposal.after : *proposal.before);
  if (is_adopted(proposal.author)) {
    const bool is_record = found.kind != nullptr && found.mirror == nullptr && proposal.after;
    return Verdict{{}, is_record ? adopt(*found.kind, *proposal.after) : std::nullopt};
  }
  if (found.kind == nullptr) {
    return proposal.after ? verdict(no_such_kind(), {}) : Verdict();
  }
  if (found.mirror != nullptr) {
    return judge_mirror(found, proposal, ground);
  }
  if (auto denied = check_limits(plan_, *found.kind, proposal)) {
    return Verdict{std::move(denied), {}};
  }
  if (!proposal.after) {
    auto refusal = judge_removal(*found.kind, proposal);
    return refusal ? verdict(error_of(*found.kind, *refusal), {}) : Verdict();
  }
  return judge_record(*found.kind, proposal, ground);
}

Status TableRules::add_effects(const Proposal& proposal, Ground& ground, store::Effects& effects) const {
  if (!proposal.before && !proposal.after) {
    return {};
  }
  const Found found = find(proposal.after ? *proposal.after : *proposal.before);
  if (found.kind == nullptr || found.mirror != nullptr) {
    return {};
  }
  if (is_adopted(proposal.author)) {
    return add_adoption(plan_, *found.kind, proposal, ground, effects);
  }
  if (only_logs()) {
    WAYBILL_TRY(add_violation(*found.kind, proposal, ground, effects));
  }
  const Happening happened = happening(*found.kind, proposal);
  add_counts(happened, effects);
  WAYBILL_TRY(add_quota_counts(happened, ground, effects));
  add_lease_end(happened, ground, effects);
  add_tags(happened, ground, effects);
  add_message(happened, ground, effects);
  add_history(happened, ground, effects);
  WAYBILL_TRY(add_waiting(happened, ground, effects));
  WAYBILL_TRY(add_mirrors(happened, ground, effects));
  WAYBILL_TRY(add_idempotency(happened, ground, effects));
  WAYBILL_TRY(add_audit(happened, ground, effects));
  return add_retention(happened, ground, effects);
}

// The judgement again, of what was let through.
Status TableRules::add_violation(const KindPlan& kind, const Proposal& proposal, Ground& ground,
                                 store::Effects& effects) const {
  if (!proposal.after) {
    return {};
  }
  Draft draft(kind, proposal.before, *proposal.after);
  auto refusal = check(draft);
  if (!refusal) {
    refusal = check_move(draft, proposal.author.operation);
  }
  if (!refusal) {
    return {};
  }
  const Error error = error_of(kind, *refusal);
  const Happening happened = happening(kind, proposal);
  log_warning("not as the contract says, and let through: " + error.message + ", by " + proposal.author.name +
              ", of " + happened.path + trace_of(happened));
  add_complaint(
      plan_, {kind, happened.path, "violated", refusal->flaw.rule, error.message, happened.from, happened.to},
      proposal.author, ground, effects);
  return {};
}

Status TableRules::add_refusal(const Proposal& proposal, const Error& refusal, Ground& ground,
                               store::Effects& effects) const {
  const Found found = find(proposal.after ? *proposal.after : *proposal.before);
  if (found.kind == nullptr || found.mirror != nullptr || found.kind->status == SlotNames::none) {
    return {};
  }
  const bool is_start =
      refusal.kind == ErrorKind::invalid && refusal.detail == found.kind->names.name(found.kind->status);
  if (!is_start && refusal.detail != "moves" && refusal.detail != "steps") {
    return {};
  }
  const Happening refused = happening(*found.kind, proposal);
  log_warning(refusal.message + ", by " + proposal.author.name + ", of " + refused.path + trace_of(refused));
  add_complaint(plan_,
                {*found.kind, refused.path, "refused", is_start ? "start" : refusal.detail, refusal.message,
                 refused.from, refused.to},
                proposal.author, ground, effects);
  return {};
}

void TableRules::begin_counting(store::Effects& effects) const {
  for (const auto& kind : plan_.kinds) {
    for (auto counters : {count_of_state(contract().name, kind.record->name, ""),
                          count_of_tenant(contract().name, kind.record->name, "")}) {
      store::Effect effect;
      effect.kind = store::Effect::Kind::forget;
      effect.counter = std::move(counters);
      effects.push_back(std::move(effect));
    }
  }
}

void TableRules::add_to_counts(const table::Table& table, item::ItemView item,
                               store::Effects& effects) const {
  const Found found = find(item);
  if (found.kind != nullptr && found.mirror == nullptr) {
    static const store::Author system{"waybill", {}, {}};
    const Proposal proposal{table, {}, {}, item, system, false};
    const Happening there = happening(*found.kind, proposal);
    add_counts(there, effects);
    add_tenant_count(there, effects);
  }
}

}  // namespace

std::shared_ptr<const store::Rules> make_rules(DeployedPtr deployed) {
  if (deployed->contract.enforcement == Enforcement::off) {
    return nullptr;
  }
  return std::make_shared<const TableRules>(std::move(deployed));
}

}  // namespace waybill::rules
