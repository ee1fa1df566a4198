#pragma once

#include <optional>
#include <string>

#include "job/draft.h"
#include "job/patch.h"
#include "job/services.h"

// Records of their own that steps have, where the contract says so (work.steps.record). A record of a step
// goes to states of the same names as its job: done, paused, rejected.
namespace waybill::job {

// What is wanted of the record of a step.
struct StepWish {
  std::string step;         // its name
  std::string state;        // to which it shall go
  Patch patch = {};         // what it gets with that
  std::string approved_by;  // "": nobody did
};

// The next transaction's part on the way there.
struct StepMove {
  store::Action action;
  bool is_last = false;  // with it the record is there
};

// Nothing where steps have no records, the record is in that state, or there is no way for it to get there. A
// record is made where the step has none that is not at an end. Reads from the store.
Result<std::optional<StepMove>> step_towards(const Services& services, const Subject& subject,
                                             item::ItemView job, const StepWish& wish);

// The change that ends the record of the step at which a job is canceled or given up: it goes to the state
// that the job goes to, or to where work that fails goes. Nothing where steps have no records, this one has
// none that is open, or it has no move there. Reads from the store.
Result<std::optional<store::Action>> close_step(const Services& services, const Subject& subject, Draft& job,
                                                const std::string& state);

// Whether the step's last record is in that state.
Result<bool> step_is_in(const Services& services, const Subject& subject, item::ItemView job,
                        const std::string& step, const std::string& state);

// Cuts a patch in two: what only the record of a step knows, and what is left for the job itself.
Patch take_step_patch(const Subject& subject, Patch& patch);

}  // namespace waybill::job
