#pragma once

#include <string>
#include <vector>

#include "migration/field_rule.h"
#include "migration/spared.h"
#include "store/rules.h"

namespace waybill::migration {

// The operation of whoever walks over a table: its changes are those of the migration alone.
inline constexpr std::string_view walk_operation = "migrate";

// Whether the change is one that the walk makes, and no more than that.
bool is_walk(const store::Proposal& proposal);

// Rules by which every record is written as the migration has it, around those that the table has anyway
// (null: it has none). `hidden` are names that those are not to see, because they know them not.
store::RulesPtr make_field_rules(FieldRule rule, std::vector<std::string> hidden, Spared spared,
                                 store::RulesPtr inner);

}  // namespace waybill::migration
