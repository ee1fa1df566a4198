#include "table/note.h"

#include "base/json.h"

namespace waybill::table {

namespace {

int64_t integer_in(const json::Value& object, std::string_view name) {
  const auto value = object.find(name);
  return value && value->type() == json::Type::number ? value->integer().value_or(0) : 0;
}

std::string text_in(const json::Value& object, std::string_view name) {
  const auto value = object.find(name);
  return std::string(value && value->is_string() ? value->string() : std::string_view());
}

HeldTable read_held(const json::Value& in) {
  HeldTable held;
  held.name = text_in(in, "name");
  held.space = static_cast<SpaceId>(integer_in(in, "space"));
  held.until = {integer_in(in, "until_ms"), static_cast<uint64_t>(integer_in(in, "until_number"))};
  held.moment_ms = integer_in(in, "moment_ms");
  return held;
}

}  // namespace

std::string serialize(const Note& note) {
  std::string text;
  json::Writer out(text);
  out.begin_object().key("text").string(note.text);
  if (note.held) {
    out.key("held").begin_object().key("name").string(note.held->name);
    out.key("space").integer(note.held->space);
    out.key("until_ms").integer(note.held->until.time_ms);
    out.key("until_number").integer(static_cast<int64_t>(note.held->until.number));
    out.key("moment_ms").integer(note.held->moment_ms).end_object();
  }
  out.end_object();
  return text;
}

Result<Note> deserialize_note(std::string_view name, std::string_view text) {
  json::Parser parser;
  const auto value = parser.parse_copy(text);
  if (!value || !value->is_object()) {
    return Error{ErrorKind::corruption, "the note " + std::string(name) + " can't be read", {}};
  }
  Note note;
  note.name = name;
  note.text = text_in(*value, "text");
  if (const auto held = value->find("held"); held && held->is_object()) {
    note.held = read_held(*held);
  }
  return note;
}

}  // namespace waybill::table
