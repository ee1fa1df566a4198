#pragma once

#include <utility>

#include "store/rules.h"

namespace waybill::migration {

// Rules that leave all to others, which may be none.
class Around : public store::Rules {
 public:
  explicit Around(store::RulesPtr inner) : inner_(std::move(inner)) {}

  Result<store::Verdict> judge(const store::Proposal& proposal, store::Ground& ground) const override {
    return inner_ ? inner_->judge(proposal, ground) : Result<store::Verdict>(store::Verdict());
  }
  Status add_effects(const store::Proposal& proposal, store::Ground& ground,
                     store::Effects& effects) const override {
    return inner_ ? inner_->add_effects(proposal, ground, effects) : Status();
  }
  Status add_refusal(const store::Proposal& proposal, const Error& refusal, store::Ground& ground,
                     store::Effects& effects) const override {
    return inner_ ? inner_->add_refusal(proposal, refusal, ground, effects) : Status();
  }
  void begin_counting(store::Effects& effects) const override {
    if (inner_) {
      inner_->begin_counting(effects);
    }
  }
  void add_to_counts(const table::Table& table, item::ItemView item, store::Effects& effects) const override {
    if (inner_) {
      inner_->add_to_counts(table, item, effects);
    }
  }

 private:
  store::RulesPtr inner_;
};

}  // namespace waybill::migration
