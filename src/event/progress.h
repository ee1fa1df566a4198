#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "event/target.h"
#include "item/value.h"

// How far an event has come, as its row of the journal says. Pure: what a row is to be, from what it is.
//
//   pending    S  the contract's name, while a target is still to be told
//   parked     S  the contract's name, once a target will not be told
//   published  N  milliseconds since 1970, once all targets have it
//   targets    M  by target {state S, at N, why S}, while it is neither
//                 state: "done"; "failing" since `at`; "refused" for the reason `why`
namespace waybill::event {

// For how long an event is tried that fails.
inline constexpr int64_t patience_ms = int64_t{24} * 60 * 60 * 1000;

// Whom the events of a contract are told.
struct Audience {
  std::string contract;
  std::vector<std::string> targets;  // names
};

struct Note {
  enum class State : unsigned char { failing, done, refused };
  State state = State::failing;
  int64_t at_ms = 0;
  std::string why;
};
using Notes = std::map<std::string, Note>;  // by target

Notes read_notes(item::ItemView row);

// Whether there is nothing to do for that target any more.
bool is_over(const Notes& notes, const std::string& target);

struct NextRow {
  item::Item row;
  bool changed = false;    // the row is another than before
  bool is_over = false;    // for the target that was told
  bool published = false;  // to all targets, with this
  bool parked = false;     // with this
};

// The row after a target was told.
NextRow after_delivery(item::ItemView row, const Audience& audience, const std::string& target,
                       const Delivery& delivery, int64_t now_ms);

// The row where somebody may have left the audience: it is published where all others have it.
NextRow after_change_of_audience(item::ItemView row, const Audience& audience, int64_t now_ms);

// A parked row that is to be told again to those who refused it.
item::Item unparked(item::ItemView row);

}  // namespace waybill::event
