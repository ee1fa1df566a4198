#pragma once

#include <string>

#include "load/message_workload.h"
#include "load/options.h"
#include "load/run.h"
#include "load/samples.h"
#include "load/wake.h"

namespace waybill::load {

// The one line that a run prints: a JSON object. `messages`: of a run on a queue.
std::string report(const Options& options, const RunStats& stats, const Samples& samples,
                   const MessageCounts* messages = nullptr);

std::string report(const Options& options, const WakeStats& stats);

// Whether the figures may be used: there are some, no errors, no wrong answers, and few conditions refused.
bool is_sound(const RunStats& stats, const Samples& samples);

}  // namespace waybill::load
