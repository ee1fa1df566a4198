#include "rules/draft.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"
#include "rules/adopt.h"

namespace waybill::rules {

namespace {

constexpr char perhaps = 2;  // of what is touched

const char* data_of(item::ValueView value) {
  return value.encoded().data();
}

std::size_t alike_at_begin(std::string_view a, std::string_view b) {
  const std::size_t most = std::min(a.size(), b.size());
  std::size_t alike = 0;
  for (; alike + sizeof(uint64_t) <= most; alike += sizeof(uint64_t)) {
    if (load_u64_be(a.data() + alike) != load_u64_be(b.data() + alike)) {
      break;
    }
  }
  while (alike < most && a[alike] == b[alike]) {
    ++alike;
  }
  return alike;
}

std::size_t alike_at_end(std::string_view a, std::string_view b) {
  const std::size_t most = std::min(a.size(), b.size());
  const char* const a_end = a.data() + a.size();
  const char* const b_end = b.data() + b.size();
  std::size_t alike = 0;
  for (; alike + sizeof(uint64_t) <= most; alike += sizeof(uint64_t)) {
    const std::size_t back = alike + sizeof(uint64_t);
    if (load_u64_be(a_end - back) != load_u64_be(b_end - back)) {
      break;
    }
  }
  while (alike < most && *(a_end - alike - 1) == *(b_end - alike - 1)) {
    ++alike;
  }
  return alike;
}

// Where the attribute begins whose value this is; see item/value.h.
const char* begin_of_attribute(const char* value, std::size_t name_bytes) {
  std::size_t length_bytes = 1;
  for (std::size_t left = name_bytes; left >= 0x80; left >>= 7U) {
    ++length_bytes;
  }
  return value - name_bytes - length_bytes;
}

}  // namespace

Draft::Draft(const KindPlan& kind, std::optional<item::ItemView> before, item::ItemView after)
    : kind_(kind),
      was_there_(before.has_value()),
      changes_(!before || before->encoded() != after.encoded()),
      item_(after),
      before_(kind.names.size()),
      after_(before ? Slots(kind.names.size()) : kind.gather(after)),
      touched_(kind.names.size(), 0) {
  if (before) {
    gather_beside(*before);
    return;
  }
  for (std::size_t slot = 0; slot < touched_.size(); ++slot) {
    touched_[slot] = after_.at(static_cast<uint16_t>(slot)) ? 1 : 0;
  }
}

// Two versions of an item mostly begin and end with the same bytes: attributes there are looked up once for
// both, and are not touched.
void Draft::gather_beside(item::ItemView before) {
  const std::string_view was = before.encoded();
  const std::string_view is = item_.encoded();
  const std::size_t alike_bytes = alike_at_begin(was, is);
  std::size_t was_at = 0;
  std::size_t is_at = 0;
  while (was_at < was.size()) {
    item::AttributeCursor cursor(item::ItemView(was.substr(was_at)));
    cursor.next();
    if (was_at + cursor.encoded().size() > alike_bytes) {
      break;
    }
    take_from_both(cursor, is.data() - was.data());
    was_at += cursor.encoded().size();
  }
  is_at = was_at;
  const std::size_t alike_at_end_bytes = alike_at_end(was.substr(was_at), is.substr(is_at));
  const auto take_one = [this](Slots& slots, std::string_view item, std::size_t& at) {
    item::AttributeCursor cursor(item::ItemView(item.substr(at)));
    cursor.next();
    if (const uint16_t slot = kind_.names.find(cursor.name()); slot != SlotNames::none) {
      slots.put(slot, data_of(cursor.value()));
      touched_[slot] = perhaps;
    }
    at += cursor.encoded().size();
  };
  while (was_at < was.size() || is_at < is.size()) {
    const std::size_t was_left = was.size() - was_at;
    const std::size_t is_left = is.size() - is_at;
    if (was_left == is_left && was_left <= alike_at_end_bytes) {
      break;
    }
    was_left >= is_left ? take_one(before_, was, was_at) : take_one(after_, is, is_at);
  }
  for (item::AttributeCursor cursor(item::ItemView(was.substr(was_at))); cursor.next();) {
    take_from_both(cursor, (is.data() + is_at) - (was.data() + was_at));
  }
  for (std::size_t slot = 0; slot < touched_.size(); ++slot) {
    if (touched_[slot] == perhaps) {
      touched_[slot] = same(before_, after_, static_cast<uint16_t>(slot)) ? 0 : 1;
    }
  }
}

// An attribute of the item before which the item has as well, so many bytes behind.
void Draft::take_from_both(const item::AttributeCursor& cursor, std::ptrdiff_t behind_bytes) {
  if (const uint16_t slot = kind_.names.find(cursor.name()); slot != SlotNames::none) {
    before_.put(slot, data_of(cursor.value()));
    after_.put(slot, data_of(cursor.value()) + behind_bytes);
  }
}

std::string_view Draft::state_of(const Slots& slots) const {
  return kind_.status == SlotNames::none ? std::string_view() : slots.text(kind_.status).value_or("");
}

void Draft::note_edit(uint16_t slot) {
  if (std::ranges::find(edits_, slot, &Edit::slot) == edits_.end()) {
    constexpr std::size_t edits_mostly = 8;
    edits_.reserve(edits_mostly);
    const auto original = after_.at(slot);
    edits_.push_back({slot, original ? data_of(*original) : nullptr});
  }
}

void Draft::put(uint16_t slot, std::string encoded) {
  note_edit(slot);
  made_.push_front(std::move(encoded));
  after_.put(slot, made_.front().data());
  touched_[slot] = same(before_, after_, slot) ? 0 : 1;
}

void Draft::remove(uint16_t slot) {
  note_edit(slot);
  after_.remove(slot);
  touched_[slot] = before_.at(slot) ? 1 : 0;
}

bool is_imported(const store::Author& author) {
  return author.operation == import_operation || is_adopted(author);
}

int64_t Draft::size_change_bytes() const {
  int64_t change = 0;
  for (const auto& edit : edits_) {
    const auto name_bytes = static_cast<int64_t>(kind_.names.name(edit.slot).size());
    if (edit.original != nullptr) {
      change -= name_bytes + item::size_bytes(item::ValueView(edit.original));
    }
    if (const auto value = after_.at(edit.slot)) {
      change += name_bytes + item::size_bytes(*value);
    }
  }
  return change;
}

// What stands between the attributes that were put or removed.
std::vector<Draft::Stretch> Draft::stretches() {
  std::ranges::sort(edits_, std::less<>(), &Edit::original);
  std::vector<Stretch> kept;
  kept.reserve(edits_.size() + 1);
  const char* from = item_.encoded().data();
  for (const auto& edit : edits_) {
    if (edit.original != nullptr) {
      kept.push_back({from, begin_of_attribute(edit.original, kind_.names.name(edit.slot).size())});
      from = item::ValueView(edit.original).end();
    }
  }
  kept.push_back({from, item_.encoded().data() + item_.encoded().size()});
  // What is put stands in the order of slots, in whatever order it was put: the same record has the same
  // bytes.
  std::ranges::sort(edits_, std::less<>(), &Edit::slot);
  return kept;
}

item::Item Draft::join(const std::vector<Stretch>& stretches) {
  std::size_t bytes = item_.encoded().size();
  for (const auto& edit : edits_) {
    constexpr std::size_t length_bytes_max = 5;
    const auto value = after_.at(edit.slot);
    bytes += value ? length_bytes_max + kind_.names.name(edit.slot).size() + value->encoded().size() : 0;
  }
  item::Item made;
  made.encoded.reserve(bytes);  // slots point to it from here on
  for (const auto& [begin, end] : stretches) {
    made.encoded.append(begin, end);
  }
  for (const auto& edit : edits_) {
    if (const auto value = after_.at(edit.slot)) {
      const std::size_t value_bytes = value->encoded().size();
      item::append_attribute(made.encoded, kind_.names.name(edit.slot), *value);
      after_.put(edit.slot, made.encoded.data() + made.encoded.size() - value_bytes);
    }
  }
  return made;
}

std::optional<item::Item> Draft::finish() {
  if (edits_.empty()) {
    return {};
  }
  const auto kept = stretches();
  item::Item made = join(kept);
  for (std::size_t slot = 0; slot < touched_.size(); ++slot) {
    const auto value = after_.at(static_cast<uint16_t>(slot));
    const char* const at = value ? data_of(*value) : nullptr;
    std::size_t offset = 0;
    for (const auto& [begin, end] : kept) {
      if (at != nullptr && !std::less<>()(at, begin) && std::less<>()(at, end)) {
        after_.put(static_cast<uint16_t>(slot), made.encoded.data() + offset + (at - begin));
        break;
      }
      offset += static_cast<std::size_t>(end - begin);
    }
  }
  return made;
}

}  // namespace waybill::rules
