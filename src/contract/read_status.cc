// The part of the reader that reads a status machine.
#include <algorithm>

#include "contract/reader_parts.h"

namespace waybill::contract {

namespace {

StatusMachine::State& state_of(StatusMachine& machine, const Name& name) {
  const auto found = std::ranges::find(machine.states, name, &StatusMachine::State::name);
  if (found != machine.states.end()) {
    return *found;
  }
  return machine.states.emplace_back(StatusMachine::State{name, {}, false, {}});
}

void read_moves(const Yaml& yaml, StatusMachine& machine, const std::string& what, Problems& problems) {
  if (yaml.kind != Yaml::Kind::map) {
    problems.push_back({Problem::Weight::error, yaml.place,
                        what + ": moves are a map, not " + yaml.kind_text(),
                        "write one state a line, and behind the colon where it may go"});
    return;
  }
  for (const auto& [place, key, value] : yaml.entries) {
    Names next = read_names(value, joined({what, ": moves of ", key}), problems);
    auto& state = state_of(machine, {key, place});
    state.name.place = place;
    state.next = next;
    for (const auto& name : next) {
      state_of(machine, name);
    }
  }
}

void read_ends(const Yaml& yaml, StatusMachine& machine, const std::string& what, Problems& problems) {
  if (yaml.kind != Yaml::Kind::map) {
    for (const auto& name : read_names(yaml, what + ": ends", problems)) {
      state_of(machine, name).is_end = true;
    }
    return;
  }
  for (const auto& [place, key, value] : yaml.entries) {
    auto& state = state_of(machine, {key, place});
    state.is_end = true;
    Section section(value, joined({what, ": the end ", key}), problems);
    Retention retention{value.place, section.duration_s("keep").value_or(0), read_after_life(section)};
    if (section.has("keep")) {
      state.retention = retention;
    }
  }
}

}  // namespace

std::optional<StatusMachine> read_status(const Yaml& yaml, const std::string& what, Problems& problems) {
  StatusMachine machine;
  machine.place = yaml.place;
  Section section(yaml, what + ": status", problems);
  const auto field = section.needed_name("field", "name the field that holds the status");
  const auto start = section.needed_name("start", "name the state of a new record");
  const Yaml* const moves = section.need("moves", "say where each state may go");
  const Yaml* const ends = section.need("ends", "say which states are the last");
  if (!field || !start || moves == nullptr || ends == nullptr) {
    return {};
  }
  machine.field = *field;
  machine.start = *start;
  read_moves(*moves, machine, what, problems);
  read_ends(*ends, machine, what, problems);
  return machine;
}

}  // namespace waybill::contract
