#include "migration/key_rules.h"

#include <memory>
#include <utility>

#include "migration/around.h"
#include "migration/field_rules.h"
#include "table/key.h"

namespace waybill::migration {

namespace {

using store::Effect;
using store::Effects;
using store::Ground;
using store::Proposal;
using store::Verdict;

using Item = std::optional<item::Item>;

Effect effect_of(Effect::Kind kind, const table::TablePtr& table, std::string key, item::Item item) {
  Effect effect;
  effect.kind = kind;
  effect.table = table;
  effect.key = std::move(key);
  effect.item = std::move(item);
  return effect;
}

// `before` and `after` are the record as `table` has it.
void add_copy(const table::TablePtr& table, const Item& before, Item after, Effects& effects) {
  if (!table) {
    return;
  }
  std::string old_key = before ? table::primary_key(table->key, before->view()) : std::string();
  std::string new_key = after ? table::primary_key(table->key, after->view()) : std::string();
  if (before && old_key != new_key) {
    effects.push_back(effect_of(Effect::Kind::remove, table, std::move(old_key), {}));
  }
  if (after) {
    effects.push_back(effect_of(Effect::Kind::put, table, std::move(new_key), *std::move(after)));
  }
}

Result<Item> item_under_key_of(const table::TablePtr& table, const item::Item& item, const Ground& ground) {
  return table ? ground.get(*table, table::primary_key(table->key, item.view())) : Result<Item>(Item());
}

Error key_is_taken(const std::string& table) {
  return invalid("Another record has the key in table " + table + " that this one would get");
}

class OldTableRules final : public Around {
 public:
  OldTableRules(KeyRules rules, store::RulesPtr inner) : Around(std::move(inner)), rules_(std::move(rules)) {}

  Result<Verdict> judge(const Proposal& proposal, Ground& ground) const override {
    if (is_closed()) {
      return Verdict{invalid("The records of table " + rules_.old_table + " are in table " +
                             rules_.new_table + " now: write there"),
                     {}};
    }
    if (is_walk(proposal)) {
      return Verdict();
    }
    WAYBILL_TRY_ASSIGN(auto verdict, Around::judge(proposal, ground));
    if (!verdict.refusal && proposal.after && is_filled()) {
      const item::ItemView after = verdict.instead ? verdict.instead->view() : *proposal.after;
      WAYBILL_TRY_ASSIGN(verdict.refusal, stands_against(proposal, after, ground));
    }
    return verdict;
  }

  Status add_effects(const Proposal& proposal, Ground& ground, Effects& effects) const override {
    if (is_closed()) {
      return Around::add_effects(proposal, ground, effects);
    }
    const auto copies = ground.find_table(rules_.new_table);
    if (!is_walk(proposal)) {
      const std::size_t first = effects.size();
      WAYBILL_TRY(Around::add_effects(proposal, ground, effects));
      WAYBILL_TRY(copy_effects(proposal.table, copies, first, ground, effects));
    }
    add_copy(copies, forward(proposal.before), forward(proposal.after), effects);
    return {};
  }

 private:
  bool is_closed() const { return rules_.step == Step::stopped || rules_.step == Step::dropping; }
  // Records were brought along, and are verified: none may be written any more that is left behind.
  bool is_filled() const {
    return rules_.step == Step::filled || rules_.step == Step::verified || rules_.step == Step::switched;
  }

  Result<std::optional<Error>> stands_against(const Proposal& proposal, item::ItemView after,
                                              const Ground& ground) const {
    const Item copy = rules_.change.forward(after);
    if (!copy) {
      return std::optional(invalid("A record of table " + rules_.old_table +
                                   " needs the fields that its key in table " + rules_.new_table +
                                   " is made of, while the migration lasts"));
    }
    const auto copies = ground.find_table(rules_.new_table);
    WAYBILL_TRY_ASSIGN(const auto present, item_under_key_of(copies, *copy, ground));
    const Item record = present ? rules_.change.backward(present->view()) : Item();
    const bool is_anothers = record && table::primary_key(proposal.table.key, record->view()) != proposal.key;
    return is_anothers ? std::optional(key_is_taken(rules_.new_table)) : std::nullopt;
  }

  Item forward(const std::optional<item::ItemView>& item) const {
    return item ? rules_.change.forward(*item) : Item();
  }

  // What the table's own rules write into it, as mirrors, goes over as well.
  Status copy_effects(const table::Table& table, const table::TablePtr& copies, std::size_t first,
                      Ground& ground, Effects& effects) const {
    const std::size_t end = effects.size();
    for (std::size_t i = first; i < end; ++i) {
      const bool is_item = effects[i].kind == Effect::Kind::put || effects[i].kind == Effect::Kind::remove;
      if (!is_item || effects[i].table->space != table.space) {
        continue;
      }
      WAYBILL_TRY_ASSIGN(const auto before, ground.get(table, effects[i].key));
      Item after =
          effects[i].kind == Effect::Kind::put ? rules_.change.forward(effects[i].item.view()) : Item();
      add_copy(copies, before ? rules_.change.forward(before->view()) : Item(), std::move(after), effects);
    }
    return {};
  }

  const KeyRules rules_;
};

class NewTableRules final : public Around {
 public:
  NewTableRules(KeyRules rules, store::RulesPtr inner) : Around(std::move(inner)), rules_(std::move(rules)) {}

  Result<Verdict> judge(const Proposal& proposal, Ground& ground) const override {
    if (!is_open()) {
      return Verdict{invalid("Table " + rules_.new_table + " is being filled with the records of table " +
                             rules_.old_table + ": write there until the migration is switched"),
                     {}};
    }
    WAYBILL_TRY_ASSIGN(auto verdict, Around::judge(proposal, ground));
    if (!verdict.refusal && proposal.after) {
      const item::ItemView after = verdict.instead ? verdict.instead->view() : *proposal.after;
      WAYBILL_TRY_ASSIGN(verdict.refusal, stands_against(proposal, after, ground));
    }
    return verdict;
  }

  Status add_effects(const Proposal& proposal, Ground& ground, Effects& effects) const override {
    WAYBILL_TRY(Around::add_effects(proposal, ground, effects));
    if (is_open()) {
      add_copy(ground.find_table(rules_.old_table), backward(proposal.before), backward(proposal.after),
               effects);
    }
    return {};
  }

 private:
  bool is_open() const { return rules_.step == Step::switched || rules_.step == Step::stopped; }

  Item backward(const std::optional<item::ItemView>& item) const {
    return item ? rules_.change.backward(*item) : Item();
  }

  // The record must come back to where it is, by way of the old table.
  bool is_under_its_key(const Proposal& proposal, const Item& back) const {
    const Item again = back ? rules_.change.forward(back->view()) : Item();
    return again && table::primary_key(proposal.table.key, again->view()) == proposal.key;
  }

  Result<std::optional<Error>> stands_against(const Proposal& proposal, item::ItemView after,
                                              const Ground& ground) const {
    const Item back = rules_.change.backward(after);
    if (!is_under_its_key(proposal, back)) {
      return std::optional(
          invalid("The key of a record of table " + rules_.new_table +
                  " is made of its fields while the migration lasts: it has to be what they say"));
    }
    WAYBILL_TRY_ASSIGN(const auto present,
                       item_under_key_of(ground.find_table(rules_.old_table), *back, ground));
    const bool is_anothers = present && !is_under_its_key(proposal, present);
    return is_anothers ? std::optional(key_is_taken(rules_.old_table)) : std::nullopt;
  }

  const KeyRules rules_;
};

}  // namespace

store::RulesPtr make_old_table_rules(KeyRules rules, store::RulesPtr inner) {
  return std::make_shared<const OldTableRules>(std::move(rules), std::move(inner));
}

store::RulesPtr make_new_table_rules(KeyRules rules, store::RulesPtr inner) {
  return std::make_shared<const NewTableRules>(std::move(rules), std::move(inner));
}

}  // namespace waybill::migration
