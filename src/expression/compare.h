#pragma once

#include <cstdint>
#include <optional>

#include "item/value.h"

// The functions of conditions, on values.
namespace waybill::expression {

// Whether a string has `part` in it, a set has it as a member, or a list as an element.
bool contains(item::ValueView whole, item::ValueView part);

// Of two strings, or of two binaries.
bool begins_with(item::ValueView whole, item::ValueView prefix);

// What size() gives: of a string the count of its UTF-16 units, of a binary its bytes, of a container its
// elements; nullopt for types that have none.
std::optional<uint32_t> size_of(item::ValueView value);

}  // namespace waybill::expression
