#include "migration/migration.h"

#include <algorithm>
#include <array>

#include "base/bytes.h"
#include "base/json.h"
#include "item/json.h"

namespace waybill::migration {

namespace {

constexpr std::array<std::string_view, 4> kind_words = {"rename", "add", "remove", "key"};
constexpr std::array<std::string_view, 11> step_words = {"dual_write", "backfilling", "filled",    "verified",
                                                         "switched",   "stopped",     "dropping",  "done",
                                                         "restoring",  "removing",    "backed_out"};

template <std::size_t Count>
std::optional<std::size_t> place_of(const std::array<std::string_view, Count>& words, std::string_view word) {
  const auto found = std::ranges::find(words, word);
  return found == words.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - words.begin()));
}

int nibble(char digit) {
  return digit >= 'a' ? digit - 'a' + 10 : digit - '0';
}

// Of what hex_lower has written.
std::string from_hex(std::string_view text) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    bytes += static_cast<char>(nibble(text[i]) * 16 + nibble(text[i + 1]));
  }
  return bytes;
}

void write_text(json::Writer& out, std::string_view name, std::string_view text) {
  if (!text.empty()) {
    out.key(name).string(text);
  }
}

void write_count(json::Writer& out, std::string_view name, int64_t count) {
  if (count != 0) {
    out.key(name).integer(count);
  }
}

void write_making(json::Writer& out, std::string_view name, const KeyMaking& making) {
  out.key(name).begin_array();
  for (const auto& [attribute, text] : making) {
    out.begin_array().string(attribute).string(text).end_array();
  }
  out.end_array();
}

void write_contract(json::Writer& out, const ContractBefore& before) {
  out.key("contract_before").begin_object().key("text").string(before.text).key("parameters").begin_object();
  for (const auto& [name, value] : before.parameters) {
    out.key(name).string(value);
  }
  out.end_object().end_object();
}

std::string text_in(const json::Value& object, std::string_view name) {
  const auto found = object.find(name);
  return found && found->is_string() ? std::string(found->string()) : std::string();
}

int64_t count_in(const json::Value& object, std::string_view name) {
  const auto found = object.find(name);
  return found ? found->integer().value_or(0) : 0;
}

KeyMaking making_in(const json::Value& object, std::string_view name) {
  KeyMaking making;
  const auto found = object.find(name);
  if (!found || !found->is_array()) {
    return making;
  }
  for (json::Elements parts(*found); parts.next();) {
    std::vector<std::string> texts;
    for (json::Elements part(parts.value()); part.next();) {
      texts.emplace_back(part.value().string());
    }
    if (texts.size() == 2) {
      making.emplace_back(texts[0], texts[1]);
    }
  }
  return making;
}

std::optional<ContractBefore> contract_in(const json::Value& object) {
  const auto found = object.find("contract_before");
  if (!found || !found->is_object()) {
    return {};
  }
  ContractBefore before;
  before.text = text_in(*found, "text");
  if (const auto parameters = found->find("parameters")) {
    for (json::Members members(*parameters); members.next();) {
      before.parameters.emplace(members.key(), members.value().string());
    }
  }
  return before;
}

std::string words_of(const KeyMaking& making) {
  std::string text;
  for (const auto& [attribute, made] : making) {
    text.append(text.empty() ? "" : ", ").append(attribute).append("=").append(made);
  }
  return text;
}

}  // namespace

std::string_view word_for(Kind kind) {
  return kind_words[static_cast<std::size_t>(kind)];
}

std::string_view word_for(Step step) {
  return step_words[static_cast<std::size_t>(step)];
}

bool is_walk(Step step) {
  return step == Step::backfilling || step == Step::dropping || step == Step::restoring ||
         step == Step::removing;
}

bool is_over(Step step) {
  return step == Step::done || step == Step::backed_out;
}

table::Note note_of(const Migration& migration) {
  table::Note note;
  note.name = std::string(note_prefix) + migration.table;
  json::Writer out(note.text);
  out.begin_object().key("format").integer(1);
  out.key("kind").string(word_for(migration.kind)).key("step").string(word_for(migration.step));
  write_text(out, "old_field", migration.old_field);
  write_text(out, "new_field", migration.new_field);
  write_text(out, "initial", hex_lower(migration.initial));
  write_text(out, "having", migration.having);
  if (migration.kind == Kind::key) {
    write_text(out, "new_table", migration.new_table);
    write_making(out, "make", migration.make);
    write_making(out, "back", migration.back);
  }
  if (migration.contract_before) {
    write_contract(out, *migration.contract_before);
  }
  write_count(out, "started_ms", migration.started_ms);
  write_text(out, "place", hex_lower(migration.place));
  write_count(out, "seen", migration.seen);
  write_count(out, "changed", migration.changed);
  write_count(out, "refused", migration.refused);
  write_text(out, "complaint", migration.complaint);
  write_count(out, "rate_per_second", migration.rate_per_second);
  write_text(out, "failure", migration.failure);
  out.end_object();
  return note;
}

Result<Migration> read_migration(const table::Note& note) {
  json::Parser parser;
  const auto value = parser.parse_copy(note.text);
  const bool is_object = value && value->is_object() && note.name.starts_with(note_prefix);
  const auto kind = is_object ? place_of(kind_words, text_in(*value, "kind")) : std::nullopt;
  const auto step = is_object ? place_of(step_words, text_in(*value, "step")) : std::nullopt;
  if (!kind || !step || count_in(*value, "format") != 1) {
    return Error{ErrorKind::corruption, "the note " + note.name + " cannot be read", {}};
  }
  Migration made;
  made.table = note.name.substr(note_prefix.size());
  made.kind = static_cast<Kind>(*kind);
  made.step = static_cast<Step>(*step);
  made.old_field = text_in(*value, "old_field");
  made.new_field = text_in(*value, "new_field");
  made.initial = from_hex(text_in(*value, "initial"));
  made.having = text_in(*value, "having");
  made.new_table = text_in(*value, "new_table");
  made.make = making_in(*value, "make");
  made.back = making_in(*value, "back");
  made.contract_before = contract_in(*value);
  made.started_ms = count_in(*value, "started_ms");
  made.place = from_hex(text_in(*value, "place"));
  made.seen = count_in(*value, "seen");
  made.changed = count_in(*value, "changed");
  made.refused = count_in(*value, "refused");
  made.complaint = text_in(*value, "complaint");
  made.rate_per_second = count_in(*value, "rate_per_second");
  made.failure = text_in(*value, "failure");
  return made;
}

std::string describe(const Migration& migration) {
  switch (migration.kind) {
    case Kind::rename:
      return "the field " + migration.old_field + " becomes " + migration.new_field;
    case Kind::remove:
      return "the field " + migration.old_field + " goes";
    case Kind::key:
      return "the key becomes " + words_of(migration.make) + ", in the table " + migration.new_table;
    case Kind::add:
      break;
  }
  std::string text = "the field " + migration.new_field + " comes, and is ";
  item::append_json(text, item::ValueView(migration.initial.data()));
  return text + " where nobody says";
}

}  // namespace waybill::migration
