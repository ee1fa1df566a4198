#include "alarm/record.h"

#include <optional>

#include "base/json.h"

namespace waybill::alarm {
namespace {

std::optional<Subject> subject_of(std::string_view note_name) {
  for (const Kind kind : {Kind::depth, Kind::age}) {
    const std::string prefix = std::string(alarm_notes) + std::string(name_of(kind)) + "/";
    if (note_name.starts_with(prefix)) {
      return Subject{std::string(note_name.substr(prefix.size())), kind};
    }
  }
  return std::nullopt;
}

bool boolean_of(const json::Value& in, std::string_view name) {
  const auto found = in.find(name);
  return found && found->type() == json::Type::boolean && found->boolean();
}

int64_t integer_of(const json::Value& in, std::string_view name) {
  const auto found = in.find(name);
  return found && found->type() == json::Type::number ? found->integer().value_or(0) : 0;
}

Notice read_notice(const json::Value& in, const Subject& subject) {
  Notice notice;
  if (const auto id = in.find("id"); id && id->is_string()) {
    notice.id = id->string();
  }
  notice.change = {subject, boolean_of(in, "raised"), integer_of(in, "value"), integer_of(in, "threshold")};
  notice.time_ms = integer_of(in, "time_ms");
  return notice;
}

}  // namespace

std::string note_name(const Subject& subject) {
  return std::string(alarm_notes) + std::string(name_of(subject.kind)) + "/" + subject.queue;
}

table::Note note_of(const Record& record) {
  table::Note note;
  note.name = note_name(record.subject);
  json::Writer out(note.text);
  out.begin_object();
  out.key("raised").boolean(record.raised);
  out.key("threshold").integer(record.threshold);
  out.key("untold").begin_array();
  for (const auto& notice : record.untold) {
    out.begin_object();
    out.key("id").string(notice.id);
    out.key("raised").boolean(notice.change.raised);
    out.key("value").integer(notice.change.value);
    out.key("threshold").integer(notice.change.threshold);
    out.key("time_ms").integer(notice.time_ms);
    out.end_object();
  }
  out.end_array();
  out.end_object();
  return note;
}

Result<Record> read_record(const table::Note& note) {
  json::Parser parser;
  const auto value = parser.parse_copy(note.text);
  const auto subject = subject_of(note.name);
  if (!value || !value->is_object() || !subject) {
    return Error{ErrorKind::corruption, "the note " + note.name + " can't be read", {}};
  }
  Record record;
  record.subject = *subject;
  record.raised = boolean_of(*value, "raised");
  record.threshold = integer_of(*value, "threshold");
  if (const auto untold = value->find("untold"); untold && untold->is_array()) {
    for (json::Elements notices(*untold); notices.next();) {
      if (notices.value().is_object()) {
        record.untold.push_back(read_notice(notices.value(), *subject));
      }
    }
  }
  return record;
}

}  // namespace waybill::alarm
