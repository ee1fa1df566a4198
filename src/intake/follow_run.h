#pragma once

#include <cstdint>

#include "base/result.h"
#include "intake/session.h"
#include "intake/watcher.h"

namespace waybill::intake {

struct FollowReport {
  uint64_t changes = 0;  // that were applied
  uint64_t written = 0;  // items
  uint64_t removed = 0;  // items
  uint64_t rejected = 0;
};

// Begins to note changes of the source: see change_table.h. Waits five seconds at most for transactions that
// write to the table; Error unavailable then. Error in_use where changes are noted already.
Status prepare(Session& session);

// How many changes were noted and not applied yet.
Result<uint64_t> count_changes(Session& session);

// Ends the noting, and forgets what was noted.
Status remove_changes(Session& session);

// Applies changes as they are noted, the oldest first, at least once each: the rows that changes name are
// read as they are now, and written so; items whose rows are gone are removed. A change is forgotten once its
// items are on disk. Ends where the session's stop flag says so, or, with `until_none`, once no change is
// left.
Result<FollowReport> run_follow(Session& session, bool until_none, Watcher& watcher);

}  // namespace waybill::intake
