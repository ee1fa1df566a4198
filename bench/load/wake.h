#pragma once

#include <cstdint>

#include "base/result.h"
#include "load/dialect.h"
#include "load/histogram.h"

namespace waybill::load {

// How long a message takes to a receiver that waits for it.
struct WakeStats {
  Histogram from_send;    // from just before it is sent to its arrival
  Histogram from_answer;  // from the answer to the sender; 0 where the message was there before that
};

// Sends `count` messages, numbered from `first`, one at a time, each to a long poll on another connection
// that has been waiting for some milliseconds. An Error also where a poll is answered with anything else.
// `dialect` must be SQS's.
Result<WakeStats> measure_wakes(Dialect& dialect, const Target& target, uint64_t first, uint64_t count);

}  // namespace waybill::load
