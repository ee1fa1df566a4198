#include "event/progress.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "event/row.h"

namespace waybill::event {
namespace {

using item::Type;

constexpr std::array<std::string_view, 3> state_names = {"failing", "done", "refused"};
constexpr std::array<std::string_view, 4> progress_attributes = {"pending", "parked", "published", "targets"};

Note::State state_of(std::string_view name) {
  const auto found = std::ranges::find(state_names, name);
  return found == state_names.end() ? Note::State::failing
                                    : static_cast<Note::State>(found - state_names.begin());
}

void append_string(std::string& out, std::string_view name, std::string_view text) {
  item::append_name(out, name);
  item::append_scalar(out, Type::string, text);
}

void append_integer(std::string& out, std::string_view name, int64_t value) {
  item::append_name(out, name);
  item::append_scalar(out, Type::number, std::to_string(value));
}

void append_notes(std::string& out, const Notes& notes) {
  item::append_name(out, "targets");
  const std::size_t all = item::open_container(out, Type::map);
  for (const auto& [target, note] : notes) {
    item::append_name(out, target);
    const std::size_t one = item::open_container(out, Type::map);
    append_string(out, "state", state_names[static_cast<std::size_t>(note.state)]);
    append_integer(out, "at", note.at_ms);
    if (!note.why.empty()) {
      append_string(out, "why", note.why);
    }
    item::close_container(out, one);
  }
  item::close_container(out, all);
}

// The row without what it says of its progress.
item::Item stripped(item::ItemView row) {
  item::Item made;
  for (item::AttributeCursor attributes(row); attributes.next();) {
    if (std::ranges::find(progress_attributes, attributes.name()) == progress_attributes.end()) {
      made.encoded.append(attributes.encoded());
    }
  }
  return made;
}

bool has_refused(const Notes& notes, const std::string& target) {
  const auto found = notes.find(target);
  return found != notes.end() && found->second.state == Note::State::refused;
}

NextRow with_notes(item::ItemView row, const Audience& audience, const Notes& notes, int64_t now_ms) {
  NextRow next;
  next.row = stripped(row);
  std::string& out = next.row.encoded;
  const bool all_over =
      std::ranges::all_of(audience.targets, [&](const auto& target) { return is_over(notes, target); });
  const bool any_refused =
      std::ranges::any_of(audience.targets, [&](const auto& target) { return has_refused(notes, target); });
  if (!all_over) {
    append_string(out, "pending", audience.contract);
  }
  if (any_refused) {
    append_string(out, "parked", audience.contract);
    next.parked = !row.find("parked");
  }
  if (all_over && !any_refused) {
    append_integer(out, "published", now_ms);
    next.published = true;
  } else if (!notes.empty()) {
    append_notes(out, notes);
  }
  return next;
}

// What is to be noted; nothing where it is noted already.
std::optional<Note> note_of(const Delivery& delivery, const Note* before, int64_t now_ms) {
  switch (delivery.told) {
    case Told::taken:
      return Note{Note::State::done, now_ms, {}};
    case Told::refused:
      return Note{Note::State::refused, now_ms, delivery.why};
    case Told::failed:
      if (before == nullptr) {
        return Note{Note::State::failing, now_ms, delivery.why};
      }
      if (now_ms - before->at_ms >= patience_ms) {
        return Note{Note::State::refused, now_ms, "could not be told for a day: " + delivery.why};
      }
      return {};
  }
  return {};
}

}  // namespace

Notes read_notes(item::ItemView row) {
  Notes notes;
  const auto map = row.find("targets");
  if (!map || map->type() != Type::map) {
    return notes;
  }
  for (item::AttributeCursor targets(map->members()); targets.next();) {
    if (targets.value().type() == Type::map) {
      const item::ItemView one = targets.value().members();
      notes[std::string(targets.name())] = {state_of(text_of(one, "state")), integer_of(one, "at"),
                                            text_of(one, "why")};
    }
  }
  return notes;
}

bool is_over(const Notes& notes, const std::string& target) {
  const auto found = notes.find(target);
  return found != notes.end() && found->second.state != Note::State::failing;
}

NextRow after_delivery(item::ItemView row, const Audience& audience, const std::string& target,
                       const Delivery& delivery, int64_t now_ms) {
  Notes notes = read_notes(row);
  const auto before = notes.find(target);
  auto note = note_of(delivery, before == notes.end() ? nullptr : &before->second, now_ms);
  if (!note) {
    return {};
  }
  notes[target] = *std::move(note);
  NextRow next = with_notes(row, audience, notes, now_ms);
  next.changed = true;
  next.is_over = is_over(notes, target);
  return next;
}

NextRow after_change_of_audience(item::ItemView row, const Audience& audience, int64_t now_ms) {
  const Notes notes = read_notes(row);
  const bool all_over =
      std::ranges::all_of(audience.targets, [&](const auto& target) { return is_over(notes, target); });
  if (!all_over) {
    return {};
  }
  NextRow next = with_notes(row, audience, notes, now_ms);
  next.changed = true;
  next.is_over = true;
  return next;
}

item::Item unparked(item::ItemView row) {
  Notes notes = read_notes(row);
  std::erase_if(notes, [](const auto& each) { return each.second.state != Note::State::done; });
  item::Item made = stripped(row);
  append_string(made.encoded, "pending", text_of(row, "parked"));
  if (!notes.empty()) {
    append_notes(made.encoded, notes);
  }
  return made;
}

}  // namespace waybill::event
