#pragma once

#include "job/services.h"

namespace waybill::job {

// Says that a record is ready for work: by the contract's `enqueue` move, or, where it is the arrival of an
// object that makes it ready, with no move at all. The message comes with it. Error condition_failed where
// the record is not in a state to be worked on.
void enqueue(const Services& services, Target target, Answer<Changed> done);

}  // namespace waybill::job
