#include "rules/slots.h"

#include <bit>

namespace waybill::rules {

uint16_t SlotNames::add(const std::string& name) {
  if (const uint16_t known = find(name); known != none) {
    return known;
  }
  constexpr std::size_t places_a_name = 4;
  const auto slot = static_cast<uint16_t>(names_.size());
  names_.push_back(name);
  if (table_.size() >= names_.size() * places_a_name) {
    enter(slot);
    return slot;
  }
  table_.assign(std::bit_ceil(names_.size() * places_a_name * 2), none);
  for (std::size_t i = 0; i < names_.size(); ++i) {
    enter(static_cast<uint16_t>(i));
  }
  return slot;
}

void SlotNames::enter(uint16_t slot) {
  std::size_t at = place_of(names_[slot]);
  while (table_[at] != none) {
    at = (at + 1) & (table_.size() - 1);
  }
  table_[at] = slot;
}

std::optional<item::ValueView> Slots::at(const SlotPath& path) const {
  auto value = path.slot == SlotNames::none ? std::nullopt : at(path.slot);
  for (const auto& name : path.inner) {
    if (!value || value->type() != item::Type::map) {
      return {};
    }
    value = value->members().find(name);
  }
  return value;
}

std::optional<std::string_view> Slots::text(uint16_t slot) const {
  const auto value = at(slot);
  return value && value->type() == item::Type::string ? std::optional(value->bytes()) : std::nullopt;
}

bool same(const Slots& a, const Slots& b, uint16_t slot) {
  const auto one = a.at(slot);
  const auto other = b.at(slot);
  return one.has_value() == other.has_value() &&
         (!one || one->encoded() == other->encoded() || item::equal(*one, *other));
}

}  // namespace waybill::rules
