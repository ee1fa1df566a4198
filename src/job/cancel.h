#pragma once

#include "job/services.h"

namespace waybill::job {

// Ends a record before its time, whoever works on it; author.why says why. What was reserved is released; its
// message is deleted when it comes up next. Answered with `repeated` where it was canceled before.
void cancel(const Services& services, Target target, Answer<Changed> done);

}  // namespace waybill::job
