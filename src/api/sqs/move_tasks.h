#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/unique_function.h"

namespace waybill::api::sqs {

// What is to be moved. Queues are named by their names, not by their ARNs.
struct NewMoveTask {
  std::string source;
  std::string destination;  // "": each message to the queue that gave it up
  std::optional<int64_t> rate_per_second;
  std::string started_by;  // who asked for it
};

enum class MoveStatus : unsigned char { running, completed, cancelling, cancelled, failed };

struct MoveTask {
  std::string handle;
  MoveStatus status = MoveStatus::running;
  std::string source;
  std::string destination;  // "": each message to the queue that gave it up
  std::optional<int64_t> rate_per_second;
  int64_t moved = 0;
  std::optional<int64_t> to_move;  // how many there were at the start; absent: not known yet
  std::string failure_reason;      // of a task that failed
  int64_t started_ms = 0;
};

using MoveStarted = UniqueFunction<void(Result<std::string>)>;  // the handle
using MoveCancelled = UniqueFunction<void(Result<int64_t>)>;    // how many messages had been moved by then

// Moves messages from one queue to others in the background; tasks go on after a restart.
//
// Thread safety: every method may be called from any thread. `done` may come on a thread of the store's, or
// within the call.
class MoveTasks {
 public:
  virtual ~MoveTasks() = default;

  // Both queues are there and may be used so. Errors: unsupported, with the text for the client, where a task
  // of that source is under way; queue_not_found.
  virtual void start(NewMoveTask task, MoveStarted done) = 0;

  // Those of one source, the newest first, at most `count_max`.
  virtual std::vector<MoveTask> list(std::string_view source, std::size_t count_max) const = 0;

  // Error task_not_found where there is none of that handle, unsupported where it is not running any more.
  virtual void cancel(std::string handle, MoveCancelled done) = 0;
};

}  // namespace waybill::api::sqs
