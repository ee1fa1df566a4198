#pragma once

#include <cstddef>
#include <forward_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "item/value.h"
#include "rules/plan.h"
#include "rules/shape.h"
#include "store/rules.h"

namespace waybill::rules {

// What stands against a change. `is_conflict`: another state of the record would allow it.
struct Refusal {
  Flaw flaw;
  bool is_conflict = false;
};

// A record as somebody wants to write it, while the rules add to it.
class Draft {
 public:
  // The views outlive the draft.
  Draft(const KindPlan& kind, std::optional<item::ItemView> before, item::ItemView after);
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  const KindPlan& kind() const { return kind_; }
  bool is_new() const { return !was_there_; }
  const Slots& before() const { return before_; }  // all empty where there was none
  Slots take_before() { return std::move(before_); }
  Slots take_after() { return std::move(after_); }
  const Slots& after() const { return after_; }
  bool changes_anything() const { return changes_; }

  bool has(uint16_t slot) const { return after_.at(slot).has_value(); }
  // Whether it is another than before, by whoever's doing.
  bool touches(uint16_t slot) const { return touched_[slot] != 0; }

  // "" where there is none.
  std::string_view state_before() const { return state_of(before_); }
  std::string_view state_after() const { return state_of(after_); }

  void put(uint16_t slot, std::string encoded);
  void remove(uint16_t slot);

  // The item with all that was put and removed; nothing where that is nothing. Slots are of that item then.
  // To be called once, as the last.
  std::optional<item::Item> finish();
  // By how much the service's count of the item's bytes differs from what it was without what was put and
  // removed.
  int64_t size_change_bytes() const;

 private:
  // A slot that was put or removed, and what the item has there.
  struct Edit {
    uint16_t slot = SlotNames::none;
    const char* original = nullptr;
  };
  // Some of the item's bytes that stay as they are.
  struct Stretch {
    const char* begin = nullptr;
    const char* end = nullptr;
  };

  std::string_view state_of(const Slots& slots) const;
  void gather_beside(item::ItemView before);
  void take_from_both(const item::AttributeCursor& cursor, std::ptrdiff_t behind_bytes);
  void note_edit(uint16_t slot);
  std::vector<Stretch> stretches();
  item::Item join(const std::vector<Stretch>& stretches);

  const KindPlan& kind_;
  const bool was_there_;
  bool changes_;
  item::ItemView item_;
  Slots before_;
  Slots after_;
  std::forward_list<std::string> made_;  // what slots point to
  std::vector<char> touched_;            // by slot
  std::vector<Edit> edits_;
};

// Whether a change was made elsewhere, and is brought along: its state, its times and its version are those
// of there, and nobody is to be told or to work because of it.
inline constexpr std::string_view import_operation = "import";  // of an author
bool is_imported(const store::Author& author);

// Adds to the draft what the contract says without asking anybody, and says what stands against it.
std::optional<Refusal> fill(Draft& draft, item::ItemView after, int64_t now_ms);

// The same for a record that is imported. What only the system sets, and the writer does not say, stays as it
// is: importing a record twice gives the same record.
std::optional<Refusal> fill_imported(Draft& draft, item::ItemView after, int64_t now_ms);

// The same for a record that was there before its contract: only what is made of its other fields, but for
// its time to live.
std::optional<Refusal> fill_adopted(Draft& draft, item::ItemView after);

// Whether all attributes are ones that the contract names, or of the table's key.
std::optional<Refusal> check_names(const KindPlan& kind, const table::KeySchema& key, item::ItemView after);

// Whether the record as it is to be is one that the contract allows.
std::optional<Refusal> check(const Draft& draft);

// Whether its status may go from where it is to where it is to be. What is imported went its way elsewhere.
std::optional<Refusal> check_move(const Draft& draft, std::string_view operation);

}  // namespace waybill::rules
