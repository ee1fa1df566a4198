#pragma once

#include <string>

#include "migration/new_key.h"
#include "store/rules.h"

// Rules of the two tables between which the primary key changes: what is written to the one is written to the
// other in the same commit. Each stands around the rules that its table has anyway (null: none).
namespace waybill::migration {

struct KeyRules {
  KeyChange change;
  std::string old_table;
  std::string new_table;
  Step step = Step::dual_write;
};

// Of the old table. From the step stopped on nothing is written to it.
store::RulesPtr make_old_table_rules(KeyRules rules, store::RulesPtr inner);

// Of the new one. Until the step switched only the migration writes to it.
store::RulesPtr make_new_table_rules(KeyRules rules, store::RulesPtr inner);

}  // namespace waybill::migration
