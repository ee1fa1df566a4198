#include "rules/draft.h"

#include <utility>

namespace waybill::rules {

Draft::Draft(const KindPlan& kind, std::optional<item::ItemView> before, item::ItemView after)
    : kind_(kind),
      was_there_(before.has_value()),
      changes_(!before || before->encoded() != after.encoded()),
      item_(after),
      before_(before ? kind.gather(*before) : Slots(kind.names.size())),
      after_(kind.gather(after)),
      touched_(kind.names.size(), 0) {
  for (std::size_t slot = 0; slot < touched_.size(); ++slot) {
    touched_[slot] = same(before_, after_, static_cast<uint16_t>(slot)) ? 0 : 1;
  }
}

std::string_view Draft::state_of(const Slots& slots) const {
  return kind_.status == SlotNames::none ? std::string_view() : slots.text(kind_.status).value_or("");
}

void Draft::put(uint16_t slot, std::string encoded) {
  edited_.resize(kind_.names.size());
  edited_[slot] = 1;
  made_.push_back(std::move(encoded));
  after_.put(slot, made_.back().data());
  touched_[slot] = same(before_, after_, slot) ? 0 : 1;
}

void Draft::remove(uint16_t slot) {
  edited_.resize(kind_.names.size());
  edited_[slot] = 1;
  after_.remove(slot);
  touched_[slot] = before_.at(slot) ? 1 : 0;
}

bool is_imported(const store::Author& author) {
  return author.operation == import_operation;
}

std::optional<item::Item> Draft::finish() const {
  if (edited_.empty()) {
    return {};
  }
  item::Item made;
  made.encoded.reserve(item_.encoded().size() + 128);
  item::AttributeCursor cursor(item_);
  while (cursor.next()) {
    const uint16_t slot = kind_.names.find(cursor.name());
    if (slot == SlotNames::none || edited_[slot] == 0) {
      made.encoded.append(cursor.encoded());
    }
  }
  for (std::size_t slot = 0; slot < edited_.size(); ++slot) {
    const auto value = edited_[slot] != 0 ? after_.at(static_cast<uint16_t>(slot)) : std::nullopt;
    if (value) {
      item::append_attribute(made.encoded, kind_.names.name(static_cast<uint16_t>(slot)), *value);
    }
  }
  return made;
}

}  // namespace waybill::rules
