#include "migration/field_rules.h"

#include <memory>
#include <utility>

#include "migration/around.h"

namespace waybill::migration {

namespace {

using store::Ground;
using store::Proposal;
using store::Verdict;

class FieldRules final : public Around {
 public:
  FieldRules(FieldRule rule, std::vector<std::string> hidden, Spared spared, store::RulesPtr inner)
      : Around(std::move(inner)),
        rule_(std::move(rule)),
        hidden_(std::move(hidden)),
        spared_(std::move(spared)) {}

  Result<Verdict> judge(const Proposal& proposal, Ground& ground) const override;
  Status add_effects(const Proposal& proposal, Ground& ground, store::Effects& effects) const override;

 private:
  item::Item without_hidden(item::ItemView item) const;
  Result<Verdict> judge_inside(const Proposal& proposal, item::ItemView after, Ground& ground) const;

  const FieldRule rule_;
  const std::vector<std::string> hidden_;
  const Spared spared_;
};

item::Item FieldRules::without_hidden(item::ItemView item) const {
  item::Item made{std::string(item.encoded())};
  for (const auto& name : hidden_) {
    made = with_attribute(made.view(), name, std::nullopt);
  }
  return made;
}

// What the other rules say of the record, as they know it. What they make of it is brought into agreement
// again: they may have filled one of the fields themselves.
Result<Verdict> FieldRules::judge_inside(const Proposal& proposal, item::ItemView after,
                                         Ground& ground) const {
  const auto before = proposal.before ? std::optional(without_hidden(*proposal.before)) : std::nullopt;
  const item::Item seen = without_hidden(after);
  const Proposal as_known{
      proposal.table, proposal.key,    before ? std::optional(before->view()) : std::nullopt,
      seen.view(),    proposal.author, proposal.expired};
  WAYBILL_TRY_ASSIGN(auto verdict, Around::judge(as_known, ground));
  if (verdict.refusal || !verdict.instead) {
    return verdict;
  }
  for (const auto& name : hidden_) {
    verdict.instead = with_attribute(verdict.instead->view(), name, after.find(name));
  }
  if (auto agreed = rewrite(rule_, after, verdict.instead->view())) {
    verdict.instead = *std::move(agreed);
  }
  return verdict;
}

Result<Verdict> FieldRules::judge(const Proposal& proposal, Ground& ground) const {
  if (!proposal.after || spared_.has(*proposal.after)) {
    return Around::judge(proposal, ground);
  }
  auto agreed = rewrite(rule_, proposal.before, *proposal.after);
  if (is_walk(proposal) && proposal.before && proposal.before->encoded() == proposal.after->encoded()) {
    return Verdict{{}, std::move(agreed)};
  }
  const item::ItemView after = agreed ? agreed->view() : *proposal.after;
  WAYBILL_TRY_ASSIGN(auto verdict, judge_inside(proposal, after, ground));
  if (!verdict.instead && !verdict.refusal) {
    verdict.instead = std::move(agreed);
  }
  return verdict;
}

// What other rules write into the same table, as mirrors, is brought along as well. The walk comes to them by
// itself.
Status FieldRules::add_effects(const Proposal& proposal, Ground& ground, store::Effects& effects) const {
  if (is_walk(proposal)) {
    return {};
  }
  const std::size_t first = effects.size();
  WAYBILL_TRY(Around::add_effects(proposal, ground, effects));
  for (std::size_t i = first; i < effects.size(); ++i) {
    store::Effect& effect = effects[i];
    if (effect.kind != store::Effect::Kind::put || effect.table->space != proposal.table.space ||
        spared_.has(effect.item.view())) {
      continue;
    }
    WAYBILL_TRY_ASSIGN(const auto present, ground.get(*effect.table, effect.key));
    const auto before = present ? std::optional(present->view()) : std::nullopt;
    if (auto agreed = rewrite(rule_, before, effect.item.view())) {
      effect.item = *std::move(agreed);
    }
  }
  return {};
}

}  // namespace

bool is_walk(const Proposal& proposal) {
  return proposal.author.operation == walk_operation;
}

store::RulesPtr make_field_rules(FieldRule rule, std::vector<std::string> hidden, Spared spared,
                                 store::RulesPtr inner) {
  if (rule.mode == FieldRule::Mode::none) {
    return inner;
  }
  return std::make_shared<const FieldRules>(std::move(rule), std::move(hidden), std::move(spared),
                                            std::move(inner));
}

}  // namespace waybill::migration
