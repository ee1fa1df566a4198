#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "table/note.h"

namespace waybill::redrive {

// What is to be moved. Queues are named by their names, not by their ARNs.
struct NewMoveTask {
  std::string source;
  std::string destination;  // "": each message to the queue that gave it up
  std::optional<int64_t> rate_per_second;
  std::string started_by;  // who asked for it
};

enum class MoveStatus : unsigned char { running, completed, cancelling, cancelled, failed };

// "RUNNING", "COMPLETED", "CANCELLING", "CANCELLED", "FAILED".
std::string_view name_of(MoveStatus status);

// The record of one task, from its start until it is forgotten.
struct MoveTask {
  std::string handle;  // "01731742800123-1a2b3c4d": when, and eight digits by chance
  MoveStatus status = MoveStatus::running;
  std::string source;
  std::string destination;  // "": each message to the queue that gave it up
  std::optional<int64_t> rate_per_second;
  int64_t moved = 0;
  std::optional<int64_t> to_move;  // how many there were at the start; absent: not known yet
  std::string failure_reason;      // of a task that failed
  int64_t started_ms = 0;
  int64_t ended_ms = 0;  // 0: it is under way
  std::string started_by;

  bool is_under_way() const { return status == MoveStatus::running || status == MoveStatus::cancelling; }
};

inline constexpr std::string_view move_notes = "move/";

table::Note note_of(const MoveTask& task);
Result<MoveTask> read_move_task(const table::Note& note);

// The task in one line, for the log.
std::string describe(const MoveTask& task);

}  // namespace waybill::redrive
