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
// that it moved and that failed again, do not keep it going for ever.
MoveTask after_move(MoveTask task, const Result<store::Moved>& outcome, int64_t now_ms);

// The task once it is over.
MoveTask ended(MoveTask task, MoveStatus status, int64_t now_ms);

}  // namespace waybill::redrive
