#pragma once

#include <charconv>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "item/value.h"

// Rows of the journal (rules/system_tables.h).
namespace waybill::event {

struct RowKey {
  std::string record;
  std::string seq;  // a number in its normal form

  bool operator==(const RowKey&) const = default;
};

// "" where the item has no such string or number.
inline std::string text_of(item::ItemView item, std::string_view name) {
  const auto value = item.find(name);
  const bool is_text = value && (value->type() == item::Type::string || value->type() == item::Type::number);
  return is_text ? std::string(value->bytes()) : std::string();
}

// 0 where the item has no such whole number.
inline int64_t integer_of(item::ItemView item, std::string_view name) {
  const std::string text = text_of(item, name);
  int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

inline RowKey key_of(item::ItemView row) {
  return {text_of(row, "record"), text_of(row, "seq")};
}

}  // namespace waybill::event
