#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "table/change_place.h"
#include "table/table.h"

namespace waybill::table {

// A table as it was at one moment, kept readable: while it is held the table is not deleted, its recovery is
// not switched off, and what of its log is needed stays.
struct HeldTable {
  // No change is undone: the table is read as it is when reading begins.
  static constexpr ChangePlace as_it_is{std::numeric_limits<int64_t>::max(), 0};

  std::string name;
  SpaceId space = 0;
  ChangePlace until = as_it_is;  // changes from here on are undone
  int64_t moment_ms = 0;         // what that makes it: the table at this moment

  bool is_past() const { return until != as_it_is; }
  friend bool operator==(const HeldTable&, const HeldTable&) = default;
};

// A few words that somebody above the store keeps in it, to go on after a restart.
struct Note {
  std::string name;  // "export/01731742800123-1a2b3c4d"
  std::string text;  // the store does not look into it
  std::optional<HeldTable> held;
};

// {"text":…,"held":{…}}; the name is the key that it stands under.
std::string serialize(const Note& note);
Result<Note> deserialize_note(std::string_view name, std::string_view text);

}  // namespace waybill::table
