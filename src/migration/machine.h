#pragma once

#include <string_view>

#include "base/result.h"
#include "migration/migration.h"

// Which step follows on which. No I/O.
//
//   rename, key  dual_write - backfilling - filled - verified - switched - stopped - dropping - done
//   add          dual_write - backfilling - filled - verified - switched - done
//   remove       stopped - dropping - done
// Back from switched, and by restoring from stopped, to verified; from there and all before, by removing, to
// backed_out.
namespace waybill::migration {

enum class Command : unsigned char { backfill, verify, switch_reads, stop, drop, back_out };

// As it is typed: "back-out".
std::string_view word_for(Command command);

// What a migration begins with.
Step first_step(Kind kind);

// The step that a command leads to, where it is allowed. A command that leads to a walk which is under way
// already leads there again. Error invalid, with what can be done instead.
Result<Step> step_after(Kind kind, Step step, Command command);

// The step that a walk ends in.
Step step_after_walk(Step walk);

// Whether it has been backed out of its switch, and the contract of before is to be in force again.
bool owes_contract(const Migration& migration);

// What to do next, in words.
std::string next_words(const Migration& migration);

}  // namespace waybill::migration
