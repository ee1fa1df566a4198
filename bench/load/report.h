#pragma once

#include <string>

#include "load/options.h"
#include "load/run.h"
#include "load/samples.h"

namespace waybill::load {

// The one line that a run prints: a JSON object.
std::string report(const Options& options, const RunStats& stats, const Samples& samples);

// Whether the figures may be used: there are some, no errors, no wrong answers, and few conditions refused.
bool is_sound(const RunStats& stats, const Samples& samples);

}  // namespace waybill::load
