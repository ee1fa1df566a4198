#include "redrive/move_task.h"

#include <array>

#include "base/json.h"

namespace waybill::redrive {
namespace {

constexpr std::array<std::string_view, 5> status_names = {"RUNNING", "COMPLETED", "CANCELLING", "CANCELLED",
                                                          "FAILED"};

std::string text_of(const json::Value& in, std::string_view name) {
  const auto found = in.find(name);
  return found && found->is_string() ? std::string(found->string()) : std::string();
}

std::optional<int64_t> integer_of(const json::Value& in, std::string_view name) {
  const auto found = in.find(name);
  return found && found->type() == json::Type::number ? found->integer() : std::nullopt;
}

std::optional<MoveStatus> status_named(std::string_view name) {
  for (std::size_t i = 0; i < status_names.size(); ++i) {
    if (status_names[i] == name) {
      return static_cast<MoveStatus>(i);
    }
  }
  return std::nullopt;
}

}  // namespace

std::string_view name_of(MoveStatus status) {
  return status_names[static_cast<std::size_t>(status)];
}

table::Note note_of(const MoveTask& task) {
  table::Note note;
  note.name = std::string(move_notes) + task.handle;
  json::Writer out(note.text);
  out.begin_object();
  out.key("status").string(name_of(task.status));
  out.key("source").string(task.source);
  out.key("destination").string(task.destination);
  out.key("started_by").string(task.started_by);
  out.key("started_ms").integer(task.started_ms);
  out.key("ended_ms").integer(task.ended_ms);
  out.key("moved").integer(task.moved);
  if (task.rate_per_second) {
    out.key("rate_per_second").integer(*task.rate_per_second);
  }
  if (task.to_move) {
    out.key("to_move").integer(*task.to_move);
  }
  if (!task.failure_reason.empty()) {
    out.key("failure_reason").string(task.failure_reason);
  }
  out.end_object();
  return note;
}

Result<MoveTask> read_move_task(const table::Note& note) {
  json::Parser parser;
  const auto value = parser.parse_copy(note.text);
  const auto status = value && value->is_object() ? status_named(text_of(*value, "status")) : std::nullopt;
  if (!status || !note.name.starts_with(move_notes)) {
    return Error{ErrorKind::corruption, "the note " + note.name + " can't be read", {}};
  }
  MoveTask task;
  task.handle = note.name.substr(move_notes.size());
  task.status = *status;
  task.source = text_of(*value, "source");
  task.destination = text_of(*value, "destination");
  task.started_by = text_of(*value, "started_by");
  task.started_ms = integer_of(*value, "started_ms").value_or(0);
  task.ended_ms = integer_of(*value, "ended_ms").value_or(0);
  task.moved = integer_of(*value, "moved").value_or(0);
  task.rate_per_second = integer_of(*value, "rate_per_second");
  task.to_move = integer_of(*value, "to_move");
  task.failure_reason = text_of(*value, "failure_reason");
  return task;
}

std::string describe(const MoveTask& task) {
  std::string text = "move task " + task.handle + " of " + task.started_by + " from queue " + task.source;
  text += task.destination.empty() ? " to where each message came from" : " to queue " + task.destination;
  if (task.rate_per_second) {
    text += ", at most " + std::to_string(*task.rate_per_second) + " a second";
  }
  text += ": " + std::string(name_of(task.status)) + ", " + std::to_string(task.moved);
  text += task.to_move ? " of " + std::to_string(*task.to_move) + " messages moved" : " messages moved";
  return task.failure_reason.empty() ? text : text + ": " + task.failure_reason;
}

}  // namespace waybill::redrive
