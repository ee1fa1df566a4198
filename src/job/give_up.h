#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "job/change.h"
#include "job/services.h"
#include "queue/message.h"

namespace waybill::job {

// Giving up a record whose workers were lost: moves it on towards where the contract gives up, one move at a
// time. `plan.draft` gets the move; nothing where there is no way, or it is there. The last move ends the
// record.
struct GiveUpMove {
  Draft draft;
  bool is_last = false;
};
std::optional<GiveUpMove> towards_giving_up(const Subject& subject, Draft draft);

// What goes with the last move: the end of the step's own record. Reads from the store; where that cannot be,
// the record stays as it is.
std::vector<store::Action> with_last_move(const Services& services, const Subject& subject, Draft& draft);

}  // namespace waybill::job
