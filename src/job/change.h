#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "job/draft.h"
#include "job/services.h"

namespace waybill::job {

// What is to be done about a record.
struct Plan {
  Draft draft;                           // of the record
  std::vector<store::Action> with = {};  // in the same transaction
  bool repeated = false;                 // it is so already: nothing is done
  bool removes = false;                  // the record goes; the draft says what must be so
  bool goes_on = false;                  // once this is done, it is decided anew what comes next
};

using Decide = UniqueFunction<Result<Plan>(Draft draft)>;

// Reads a record, decides, and commits the plan; begins anew where what it was decided by has changed
// meanwhile. `decide` may read from the store; it must not block otherwise. A receive that does not hold any
// more is lease_lost.
void change(const Services& services, Target target, std::string_view operation, Decide decide,
            Answer<Changed> done);

// The table of a contract. Error unavailable where somebody has deleted it.
Result<table::TablePtr> table_of(const Services& services, const Subject& subject);

// The record under a key (rules::key_of_id); nothing where there is none.
Result<std::optional<item::Item>> find_record(const Services& services, const Subject& subject,
                                              item::ItemView key);

Error no_record(const Subject& subject, std::string_view id);

// The state does not allow it; `rule` is what says so.
Error wrong_state(const Subject& subject, std::string_view what, const std::string& state);

// A change that was refused, as the caller of an operation is told it. Nothing where the record has merely
// changed since it was read, and the change may be tried again. `kinds` are those of its actions.
std::optional<Error> refusal_of(const std::vector<store::ActionKind>& kinds, const store::Outcome& outcome);
std::vector<store::ActionKind> kinds_of(const store::Transaction& transaction);

}  // namespace waybill::job
