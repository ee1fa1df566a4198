#include "expression/compare.h"

namespace waybill::expression {

namespace {

using item::Type;

// The type of a set's members.
Type member_type(Type set) {
  switch (set) {
    case Type::string_set:
      return Type::string;
    case Type::number_set:
      return Type::number;
    default:
      return Type::binary;
  }
}

bool set_contains(item::ValueView set, item::ValueView part) {
  if (part.type() != member_type(set.type())) {
    return false;
  }
  const auto wanted = part.bytes();
  for (auto members = set.set_members(); members.next();) {
    if (members.bytes() == wanted) {
      return true;
    }
  }
  return false;
}

bool list_contains(item::ValueView list, item::ValueView part) {
  for (auto elements = list.elements(); elements.next();) {
    if (item::equal(elements.value(), part)) {
      return true;
    }
  }
  return false;
}

bool are_texts(item::ValueView a, item::ValueView b) {
  return a.type() == b.type() && (a.type() == Type::string || a.type() == Type::binary);
}

// Characters beyond the basic plane take four bytes in UTF-8 and two units in UTF-16.
uint32_t utf16_units(std::string_view text) {
  uint32_t units = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    units += (byte & 0xc0) == 0x80 ? 0 : byte >= 0xf0 ? 2 : 1;
  }
  return units;
}

template <typename Cursor>
uint32_t count(Cursor cursor) {
  uint32_t total = 0;
  while (cursor.next()) {
    ++total;
  }
  return total;
}

}  // namespace

bool contains(item::ValueView whole, item::ValueView part) {
  if (item::is_set(whole.type())) {
    return set_contains(whole, part);
  }
  if (whole.type() == Type::list) {
    return list_contains(whole, part);
  }
  return are_texts(whole, part) && whole.bytes().find(part.bytes()) != std::string_view::npos;
}

bool begins_with(item::ValueView whole, item::ValueView prefix) {
  return are_texts(whole, prefix) && whole.bytes().starts_with(prefix.bytes());
}

std::optional<uint32_t> size_of(item::ValueView value) {
  switch (value.type()) {
    case Type::string:
      return utf16_units(value.bytes());
    case Type::binary:
      return static_cast<uint32_t>(value.bytes().size());
    case Type::string_set:
    case Type::number_set:
    case Type::binary_set:
      return count(value.set_members());
    case Type::list:
      return count(value.elements());
    case Type::map:
      return count(item::AttributeCursor(value.members()));
    case Type::null:
    case Type::boolean:
    case Type::number:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace waybill::expression
