#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/result.h"
#include "redrive/move_task.h"
#include "store/queues.h"

// What a task does next, decided without doing it.
namespace waybill::redrive {

// So many messages in one commit, and so long from the beginning of one to that of the next.
struct Pace {
  std::size_t batch = 0;
  int64_t interval_ms = 0;
};

// Never faster than the rate; ten times a second where the rate allows for it.
Pace pace_of(std::optional<int64_t> rate_per_second);

// How many messages are to be moved now; 0: the task is done.
std::size_t next_batch(const MoveTask& task);

// The task after an attempt to move some of its messages. It is over where all that was there when it began
// is moved, where nothing is left, or where it cannot go on; messages that come in meanwhile, such as those
// that it moved and that failed again, do not keep it going for ever. `outcome` of a running task that was
// not tried, as it had nothing to move, is no message moved and none left.
MoveTask after_move(MoveTask task, const Result<store::Moved>& outcome, int64_t now_ms);

// How long a task waits after an attempt that moved nothing: the store is not there, or what is left stands
// behind messages that somebody has received.
int64_t pause_ms(const Result<store::Moved>& outcome);

// The task once it is over.
MoveTask ended(MoveTask task, MoveStatus status, int64_t now_ms);

}  // namespace waybill::redrive
