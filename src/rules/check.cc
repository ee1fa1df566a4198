// The part of a judgement that looks at what would be written.
#include <algorithm>
#include <utility>

#include "rules/draft.h"

namespace waybill::rules {

namespace {

std::optional<Refusal> check_field(const Draft& draft, uint16_t slot) {
  const KindPlan& kind = draft.kind();
  const FieldPlan& field = kind.fields[slot];
  const auto value = draft.after().at(slot);
  if (!value) {
    return field.required ? std::optional(Refusal{{"required", field.name, "is missing"}, false})
                          : std::nullopt;
  }
  if (!draft.is_new() && !draft.touches(slot)) {
    return {};
  }
  if (auto flaw = check_shape(field, *value, field.name)) {
    return Refusal{*std::move(flaw), false};
  }
  const Automatic& automatic = kind.automatic[slot];
  if (!automatic.only_in.empty() &&
      std::ranges::find(automatic.only_in, draft.state_after()) == automatic.only_in.end()) {
    std::string states;
    for (const auto& state : automatic.only_in) {
      states += (states.empty() ? "" : ", ") + state;
    }
    return Refusal{{"only_in", field.name, "may only be there in " + states}, false};
  }
  if (automatic.only_with != SlotNames::none && !draft.has(automatic.only_with)) {
    return Refusal{
        {"only_with", field.name, "may only be there with " + kind.names.name(automatic.only_with)}, false};
  }
  return {};
}

std::string ways_from(const contract::StatusMachine& machine, std::string_view from) {
  const auto* const state = machine.find(std::string(from));
  if (state == nullptr || state->next.empty()) {
    return "none, it is an end";
  }
  std::string ways;
  for (const auto& next : state->next) {
    ways += (ways.empty() ? "" : ", ") + next.text;
  }
  return ways;
}

// Moves beyond the machine, which people make.
bool is_by_hand(const contract::Record& record, std::string_view from, std::string_view to,
                std::string_view operation) {
  if (!record.work || !record.work->replay || operation != "replay") {
    return false;
  }
  const auto& replay = *record.work->replay;
  return replay.to.text == to &&
         (replay.from.empty() ||
          std::ranges::any_of(replay.from, [&](const contract::Name& name) { return name.text == from; }));
}

std::optional<int64_t> whole_in(const Slots& slots, uint16_t slot) {
  const auto value = slot == SlotNames::none ? std::nullopt : slots.at(slot);
  int64_t number = 0;
  const bool is_whole = value && value->type() == item::Type::number &&
                        item::Decimal::from_normal(value->bytes()).to_int64(number);
  return is_whole ? std::optional(number) : std::nullopt;
}

// Work is done when all its steps are, where it is known how many there are.
std::optional<Refusal> check_steps(const Draft& draft) {
  const KindPlan& kind = draft.kind();
  const auto& work = kind.record->work;
  if (!work || !work->done || !work->steps || !work->steps->total ||
      draft.state_after() != work->done->to.text) {
    return {};
  }
  const auto& [cursor, total] = std::pair(work->steps->cursor.text, work->steps->total->text);
  const auto all = whole_in(draft.after(), kind.names.find(total));
  const int64_t done = whole_in(draft.after(), kind.names.find(cursor)).value_or(0);
  if (!all || done >= *all) {
    return {};
  }
  return Refusal{
      {"steps", cursor,
       "is " + std::to_string(done) + " of " + std::to_string(*all) + ", and it is " + work->done->to.text +
           " when all its steps are done; one that ends before that has a " + "smaller " + total},
      true};
}

}  // namespace

std::optional<Refusal> check_names(const KindPlan& kind, const table::KeySchema& key, item::ItemView after) {
  item::AttributeCursor cursor(after);
  while (cursor.next()) {
    if (kind.names.find(cursor.name()) == SlotNames::none && !key.has(cursor.name())) {
      return Refusal{{"other_fields", std::string(cursor.name()), "is not a field of this record"}, false};
    }
  }
  return {};
}

std::optional<Refusal> check(const Draft& draft) {
  for (std::size_t slot = 0; slot < draft.kind().fields.size(); ++slot) {
    if (auto refusal = check_field(draft, static_cast<uint16_t>(slot))) {
      return refusal;
    }
  }
  return {};
}

std::optional<Refusal> check_move(const Draft& draft, std::string_view operation) {
  const KindPlan& kind = draft.kind();
  if (kind.status == SlotNames::none || operation == import_operation) {
    return {};
  }
  const auto& machine = *kind.record->status;
  const std::string from(draft.state_before());
  const std::string to(draft.state_after());
  if (from.empty()) {
    const bool may_begin = to == machine.start.text || (!kind.ready_state.empty() && to == kind.ready_state);
    if (may_begin) {
      return {};
    }
    return Refusal{{"start", machine.field.text, "is " + to + ", and begins as " + machine.start.text},
                   false};
  }
  if (from == to) {
    return {};
  }
  if (machine.may_move(from, to) || is_by_hand(*kind.record, from, to, operation)) {
    return check_steps(draft);
  }
  return Refusal{{"moves", machine.field.text,
                  "may not go from " + from + " to " + to + "; from " + from +
                      " it may go to: " + ways_from(machine, from)},
                 true};
}

}  // namespace waybill::rules
