#include "redrive/progress.h"

#include <algorithm>
#include <utility>

namespace waybill::redrive {
namespace {

constexpr std::size_t batch_max = 100;  // a commit that others hardly wait for
constexpr int64_t batches_per_second = 10;

}  // namespace

Pace pace_of(std::optional<int64_t> rate_per_second) {
  if (!rate_per_second) {
    return {batch_max, 0};
  }
  const int64_t rate = std::max<int64_t>(*rate_per_second, 1);
  const int64_t batch = std::clamp<int64_t>(rate / batches_per_second, 1, batch_max);
  return {static_cast<std::size_t>(batch), (batch * 1000 + rate - 1) / rate};
}

std::size_t next_batch(const MoveTask& task) {
  const std::size_t batch = pace_of(task.rate_per_second).batch;
  if (!task.to_move) {
    return batch;
  }
  const int64_t missing = std::max<int64_t>(*task.to_move - task.moved, 0);
  return std::min(batch, static_cast<std::size_t>(missing));
}

MoveTask after_move(MoveTask task, const Result<store::Moved>& outcome, int64_t now_ms) {
  if (!outcome) {
    if (outcome.error().kind == ErrorKind::unavailable) {
      return task;
    }
    task.failure_reason = outcome.error().message;
    return ended(std::move(task), MoveStatus::failed, now_ms);
  }
  task.moved += static_cast<int64_t>(outcome->count);
  if (outcome->left == 0 || next_batch(task) == 0) {
    return ended(std::move(task), MoveStatus::completed, now_ms);
  }
  return task;
}

int64_t pause_ms(const Result<store::Moved>& outcome) {
  constexpr int64_t unavailable_ms = 5'000;
  constexpr int64_t blocked_ms = 500;
  if (!outcome) {
    return unavailable_ms;
  }
  return outcome->count == 0 ? blocked_ms : 0;
}

MoveTask ended(MoveTask task, MoveStatus status, int64_t now_ms) {
  task.status = status;
  task.ended_ms = now_ms;
  return task;
}

}  // namespace waybill::redrive
