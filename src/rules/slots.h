#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "contract/model.h"
#include "item/value.h"

namespace waybill::rules {

// The names that a kind of record is known to have, each with a number. Others may be in a record as well.
class SlotNames {
 public:
  static constexpr uint16_t none = 0xFFFF;

  // The slot of that name, a new one where there is none yet.
  uint16_t add(const std::string& name);
  uint16_t find(std::string_view name) const {
    for (std::size_t at = place_of(name); !table_.empty(); at = (at + 1) & (table_.size() - 1)) {
      const uint16_t slot = table_[at];
      if (slot == none || names_[slot] == name) {
        return slot;
      }
    }
    return none;
  }
  std::size_t size() const { return names_.size(); }
  const std::string& name(uint16_t slot) const { return names_[slot]; }

 private:
  // Names of one kind are few and differ early: length, first and last letter tell most of them apart.
  std::size_t place_of(std::string_view name) const {
    if (name.empty() || table_.empty()) {
      return 0;
    }
    const auto letter = [](char c) { return static_cast<std::size_t>(static_cast<unsigned char>(c)); };
    const std::size_t mixed =
        letter(name.front()) * 31 + letter(name.back()) * 7 + letter(name[name.size() / 2]) * 17;
    return (mixed + name.size() * 13) & (table_.size() - 1);
  }
  void enter(uint16_t slot);

  std::vector<std::string> names_;
  std::vector<uint16_t>
      table_;  // slots where place_of() says, or behind; a power of two of them, most of them none
};

// Where a field is: a slot, and the way on from there through maps ("error.code").
struct SlotPath {
  uint16_t slot = SlotNames::none;
  std::vector<std::string> inner;
  contract::FieldType type = contract::FieldType::any;
};

// The values of a record by slot; views of the item, and of what was put into single slots.
class Slots {
 public:
  explicit Slots(std::size_t count) : values_(count, nullptr) {}

  // Calls other(name) for attributes that have no slot.
  template <typename Other>
  void gather(const SlotNames& names, item::ItemView item, Other other) {
    item::AttributeCursor cursor(item);
    while (cursor.next()) {
      if (const uint16_t slot = names.find(cursor.name()); slot != SlotNames::none) {
        values_[slot] = cursor.value().encoded().data();
      } else {
        other(cursor.name());
      }
    }
  }

  std::optional<item::ValueView> at(uint16_t slot) const {
    return values_[slot] == nullptr ? std::nullopt : std::optional(item::ValueView(values_[slot]));
  }
  std::optional<item::ValueView> at(const SlotPath& path) const;
  std::optional<std::string_view> text(uint16_t slot) const;  // of a string

  // `encoded` outlives the slots.
  void put(uint16_t slot, const char* encoded) { values_[slot] = encoded; }
  void remove(uint16_t slot) { values_[slot] = nullptr; }

 private:
  std::vector<const char*> values_;
};

// Whether both have the same there, or nothing.
bool same(const Slots& a, const Slots& b, uint16_t slot);

}  // namespace waybill::rules
